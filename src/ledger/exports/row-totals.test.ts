import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_AMOUNT_MINOR } from '../../values/amount.ts';
import { RowTotals, totalsDifferences } from './row-totals.ts';

const row = (currencyCode: string, status: string, amountMinor: number) => ({
  reference: 'a',
  merchantReference: null,
  status,
  amountMinor,
  currencyCode,
  paidAtMs: null,
  createdAtMs: 0,
});

const total = (currencyCode: string, status: string, count: number, amountMinor: bigint) => ({
  day: null,
  currencyCode,
  status,
  count,
  amountMinor,
});

test('rows are added up for each currency and status, in that order', () => {
  const sums = new RowTotals();
  for (const [currencyCode, status, amountMinor] of [
    ['USD', 'pending', 1],
    ['EUR', 'pending', -5],
    ['USD', 'pending', 2],
    ['EUR', 'completed', 7],
  ] as const)
    sums.add(row(currencyCode, status, amountMinor));
  assert.deepEqual(sums.list(), [
    total('EUR', 'completed', 1, 7n),
    total('EUR', 'pending', 1, -5n),
    total('USD', 'pending', 2, 3n),
  ]);
  assert.deepEqual(new RowTotals().list(), []);
});

test('sums are exact beyond 64 bits, also below zero', () => {
  for (const amountMinor of [MAX_AMOUNT_MINOR, -MAX_AMOUNT_MINOR]) {
    const sums = new RowTotals();
    for (let count = 0; count < 20_000; count++) sums.add(row('EUR', 'completed', amountMinor));
    assert.deepEqual(sums.list(), [total('EUR', 'completed', 20_000, 20_000n * BigInt(amountMinor))]);
    assert.ok(BigInt.asIntN(64, 20_000n * BigInt(amountMinor)) !== 20_000n * BigInt(amountMinor));
  }
});

test('totals differ where a count or an amount does, or one is missing', () => {
  const expected = [total('EUR', 'completed', 2, 10n), total('USD', 'pending', 1, 0n)];
  assert.deepEqual(totalsDifferences(expected, expected.toReversed()), []);
  assert.deepEqual(totalsDifferences(expected, [total('EUR', 'completed', 2, 9n)]), [
    { currencyCode: 'EUR', status: 'completed', count: 0, amountMinor: -1n },
    { currencyCode: 'USD', status: 'pending', count: -1, amountMinor: 0n },
  ]);
  assert.deepEqual(totalsDifferences([], [total('JPY', 'failed', 1, 3n)]), [
    { currencyCode: 'JPY', status: 'failed', count: 1, amountMinor: 3n },
  ]);
});
