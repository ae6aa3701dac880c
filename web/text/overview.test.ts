import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText, overviewOf } from './overview.ts';

const row = (currencyCode: string, status: string, count: number, amount: string) => ({
  currencyCode,
  status,
  count,
  amount,
});

test('the currency with the most transactions is first, and its net is exact and excludes unpaid statuses', () => {
  const rows = [
    row('EUR', 'completed', 2, '123456789012345678901.23'),
    row('EUR', 'refunded', 1, '-0.24'),
    row('EUR', 'pending', 9, '5.00'),
    row('USD', 'completed', 40, '1.00'),
  ];
  const before = [row('EUR', 'completed', 1, '100.00'), row('JPY', 'completed', 1, '7.00')];
  const found = overviewOf(rows, before, (status) => status !== 'pending');
  assert.deepEqual(
    found.map(({ currency, count, sumMinor, beforeMinor }) => [currency, count, sumMinor, beforeMinor]),
    [
      ['USD', 40, 100n, undefined],
      ['EUR', 12, 12345678901234567890099n, 10_000n],
      ['JPY', 0, 0n, 700n],
    ],
  );
  assert.equal(found[1]?.cells.get('pending')?.amount, '5.00');
});

test('a small percentage has one decimal, and a meaningless one is left out', () => {
  assert.equal(changeText(11_200n, 10_000n), '+12%');
  assert.equal(changeText(10_123n, 10_000n), '+1.2%');
  assert.equal(changeText(9_950n, 10_000n), '\u22120.5%');
  assert.equal(changeText(737_135n, 814_223n), '\u22129.5%');
  assert.equal(changeText(8_543n, 10_000n), '\u221215%');
  assert.equal(changeText(9_001n, 10_000n), '\u221210%');
  assert.equal(changeText(10_000n, 10_000n), '0%');
  assert.equal(changeText(0n, 10_000n), '\u2212100%');
  for (const [minor, before] of [
    [1n, 0n],
    [1n, -5n],
    [-1n, 5n],
  ] as const)
    assert.equal(changeText(minor, before), '');
});
