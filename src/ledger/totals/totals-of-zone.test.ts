import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_TOTALS } from '../../../test/rig/data/all-totals.ts';
import type { RunLong } from '../../../values/long-read.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { Total, TotalsQuery } from './total.ts';
import { readTotals } from './totals.ts';
import { MAX_ZONE_DAYS, MAX_ZONE_TRANSACTIONS } from './totals-of-zone.ts';

const QUERY: TotalsQuery = { account: 'store-1', ...ALL_TOTALS, timeZone: 'Europe/Berlin', by: 'day' };

const readerOf = (counts: readonly number[], nonceAfterwards = 7) => {
  const ranges: unknown[] = [];
  const totals = counts.map(
    (count, day): Total => ({ day, currencyCode: 'EUR', status: 'completed', count, amountMinor: 1n }),
  );
  return {
    ranges,
    readStoredTotals: async () => ({ totals, asOf: 9, lastNonce: 7 }),
    readNonce: async () => nonceAfterwards,
    sumListed: async ({ range }: { range: unknown }) => {
      ranges.push(range);
      return { totals: [], created: null, next: null };
    },
  };
};

const [HOUR, DAY] = [3_600_000, 86_400_000];

test('days of UTC are in the stored totals: no transactions are read', async () => {
  const reader = readerOf([1]);
  assert.equal((await readTotals(reader, { ...QUERY, timeZone: null })).totals.length, 1);
  assert.deepEqual(reader.ranges, []);
});

test('only totals of many days or transactions need a slot for long reads', async () => {
  const isLong = async (counts: readonly number[]) => {
    let runs = 0;
    const runLong: RunLong = (read) => {
      runs++;
      return read(new AbortController().signal);
    };
    await readTotals(readerOf(counts), QUERY, { runLong });
    return runs > 0;
  };
  assert.deepEqual(
    [await isLong(Array(100).fill(200)), await isLong(Array(101).fill(1)), await isLong([20_001])],
    [false, true, true],
  );
});

test('by day, the two parts of a day that lies in two UTC days are read at once', async () => {
  const reader = readerOf([1, 1]);
  await readTotals(reader, QUERY);
  assert.deepEqual(reader.ranges, [
    { fromMs: 0, beforeMs: DAY - HOUR },
    { fromMs: DAY - HOUR, beforeMs: 2 * DAY - HOUR },
    { fromMs: 2 * DAY - HOUR, beforeMs: 2 * DAY },
  ]);
});

test('by month, only the UTC days that two months or the range divide are read', async () => {
  const reader = readerOf(Array(60).fill(MAX_ZONE_TRANSACTIONS / 4));
  const { totals } = await readTotals(reader, { ...QUERY, by: 'month', fromDay: 10, toDay: 50 });
  assert.deepEqual(
    reader.ranges,
    [
      [10 * DAY - HOUR, 10 * DAY],
      [31 * DAY - HOUR, 31 * DAY],
      [50 * DAY, 51 * DAY - HOUR],
    ].flatMap(([fromMs, beforeMs], part) =>
      part === 1
        ? [
            { fromMs: 30 * DAY, beforeMs: fromMs },
            { fromMs, beforeMs },
          ]
        : [{ fromMs, beforeMs }],
    ),
  );
  assert.deepEqual(
    totals.map(({ day, count }) => [day, count]),
    [
      [0, 20 * (MAX_ZONE_TRANSACTIONS / 4)],
      [31, 19 * (MAX_ZONE_TRANSACTIONS / 4)],
    ],
  );
});

test('too many transactions or days are refused before they are read', async () => {
  for (const [by, counts, isRefused] of [
    ['day', [MAX_ZONE_TRANSACTIONS], false],
    ['day', [MAX_ZONE_TRANSACTIONS, 1], true],
    ['day', Array(MAX_ZONE_DAYS).fill(1), false],
    ['day', Array(MAX_ZONE_DAYS + 1).fill(1), true],
    ['month', Array(30).fill(MAX_ZONE_TRANSACTIONS), false],
    ['month', Array(31).fill(MAX_ZONE_TRANSACTIONS + 1), true],
  ] as const) {
    const reader = readerOf(counts);
    const reading = readTotals(reader, { ...QUERY, by });
    if (isRefused) await assert.rejects(reading, { code: 'date_range_too_long' });
    else await reading;
    assert.equal(reader.ranges.length === 0, isRefused || by === 'month');
  }
});

test('a history that is replaced meanwhile has no totals', async () => {
  for (const by of [null, 'day', 'month'] as const)
    await assert.rejects(
      readTotals(readerOf(Array(60).fill(1), 8), { ...QUERY, fromDay: 10, toDay: 50, by }),
      StoreUnavailable,
    );
});
