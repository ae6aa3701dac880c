import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTotals } from './read-totals.ts';
import type { Total, TotalsQuery } from './totals.ts';
import { MAX_ZONE_DAYS, MAX_ZONE_TRANSACTIONS, TooManyForZone } from './totals-of-zone.ts';

const QUERY: TotalsQuery = {
  account: 'store-1',
  status: null,
  currency: null,
  fromDay: null,
  toDay: null,
  timeZone: 'Europe/Berlin',
  byDay: true,
};

/** A reader whose days have these numbers of transactions. */
const readerOf = (counts: readonly number[]) => {
  const ranges: unknown[] = [];
  const totals = counts.map(
    (count, day): Total => ({ day, currencyCode: 'EUR', status: 'completed', count, amountMinor: 1n }),
  );
  return {
    ranges,
    readRollUp: async () => ({ totals, foldedSequence: 9, headSequence: 9, lastNonce: 7 }),
    sumChanges: async () => ({ sums: [], lastNonce: 7 }),
    sumListed: async ({ range }: { range: unknown }) => {
      ranges.push(range);
      return { totals: [], next: null };
    },
  };
};

test('by day, only the days that can have transactions are read', async () => {
  const reader = readerOf([1]);
  await readTotals(reader, QUERY);
  const [hour, day] = [3_600_000, 86_400_000];
  assert.deepEqual(reader.ranges, [
    { fromMs: -hour, beforeMs: day - hour },
    { fromMs: day - hour, beforeMs: 2 * day - hour },
  ]);
});

test('by day, too many transactions or days are refused before they are read', async () => {
  for (const [counts, isRefused] of [
    [[MAX_ZONE_TRANSACTIONS], false],
    [[MAX_ZONE_TRANSACTIONS, 1], true],
    [Array(MAX_ZONE_DAYS - 1).fill(1), false],
    [Array(MAX_ZONE_DAYS).fill(1), true],
  ] as const) {
    const reader = readerOf(counts);
    const reading = readTotals(reader, QUERY);
    if (isRefused) await assert.rejects(reading, TooManyForZone);
    else await reading;
    assert.equal(reader.ranges.length === 0, isRefused);
  }
});
