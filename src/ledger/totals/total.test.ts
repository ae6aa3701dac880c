import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areListed, TotalsSum, totalsDifferences } from './total.ts';

const total = (
  day: number | null,
  currencyCode: string,
  status: string,
  count: number,
  amountMinor: bigint,
) => ({
  day,
  currencyCode,
  status,
  count,
  amountMinor,
});

test('a total without count and amount is left out, but a total with count 0 and an amount is not', () => {
  const sum = new TotalsSum();
  sum.add(total(1, 'EUR', 'pending', 1, 5n));
  sum.addRow(1, 'EUR', 'pending', 5, -1);
  sum.add(total(1, 'JPY', 'pending', 1, 5n));
  sum.add(total(1, 'JPY', 'pending', -1, -7n));
  assert.deepEqual(sum.list(), [total(1, 'JPY', 'pending', 0, -2n)]);
});

test('areListed is true if totals are in order, without duplicates, and none is empty', () => {
  const listed = [
    total(null, 'EUR', 'completed', 1, 1n),
    total(1, 'EUR', 'completed', 1, 1n),
    total(1, 'EUR', 'pending', 0, 1n),
    total(1, 'JPY', 'completed', 1, 0n),
    total(2, 'EUR', 'completed', 1, 1n),
  ];
  assert.equal(areListed(listed), true);
  assert.equal(areListed([]), true);
  for (const [index, one] of listed.entries()) {
    assert.equal(areListed(listed.toSpliced(index, 0, one)), false);
    assert.equal(areListed(listed.toSpliced(index, 1, { ...one, count: 0, amountMinor: 0n })), false);
    if (index > 0) assert.equal(areListed(listed.toSpliced(index, 1).toSpliced(index - 1, 0, one)), false);
  }
});

test('totals differ if a count or an amount differs, or if a total is missing', () => {
  const expected = [total(null, 'EUR', 'completed', 2, 10n), total(null, 'USD', 'pending', 1, 0n)];
  assert.deepEqual(totalsDifferences(expected, expected.toReversed()), []);
  assert.deepEqual(totalsDifferences(expected, [total(null, 'EUR', 'completed', 2, 9n)]), [
    { currencyCode: 'EUR', status: 'completed', count: 0, amountMinor: -1n },
    { currencyCode: 'USD', status: 'pending', count: -1, amountMinor: 0n },
  ]);
  assert.deepEqual(totalsDifferences([], [total(null, 'JPY', 'failed', 1, 3n)]), [
    { currencyCode: 'JPY', status: 'failed', count: 1, amountMinor: 3n },
  ]);
});
