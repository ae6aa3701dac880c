import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_TOTALS } from '../../../test/rig/data/all-totals.ts';
import { changeId } from '../changes/change-id.ts';
import { readTotals } from './read-totals.ts';
import { type DaySum, MAX_SUMMED, type StoredTotalsQuery, type Total, type TotalsQuery } from './totals.ts';

const QUERY: TotalsQuery = { account: 'store-1', ...ALL_TOTALS };
const sum = (day: number, currencyCode: string, status: string, count: number): DaySum => ({
  day,
  currencyCode,
  status,
  count,
  amountMinor: BigInt(count) * 100n,
});

/** A reader with stored totals, sums of changes, and the calls that it had. */
function rig() {
  const state = {
    storedTotals: {
      totals: [] as Total[],
      totalsSequence: 0,
      headSequence: 0,
      lastNonce: null as number | null,
    },
    sums: [] as DaySum[],
    slices: [] as [number, number][],
    queries: [] as StoredTotalsQuery[],
    onSlice: () => {},
  };
  const reader = {
    readStoredTotals: async (query: StoredTotalsQuery) => {
      state.queries.push(query);
      return state.storedTotals;
    },
    sumListed: async () => assert.fail('days of UTC are in the stored totals'),
    sumChanges: async (account: string, after: number, upTo: number) => {
      assert.equal(account, 'store-1');
      state.slices.push([after, upTo]);
      state.onSlice();
      const sums = after === state.storedTotals.totalsSequence ? state.sums : [];
      return { sums, lastNonce: state.storedTotals.lastNonce };
    },
  };
  return { state, reader };
}

test('changes after the stored totals are added to them, and a total of nothing is left out', async () => {
  const { state, reader } = rig();
  state.storedTotals = {
    totals: [
      { ...sum(0, 'EUR', 'pending', 2), day: null },
      { ...sum(0, 'EUR', 'completed', 2), day: null },
    ],
    totalsSequence: 4,
    headSequence: 6,
    lastNonce: 9,
  };
  state.sums = [sum(9, 'EUR', 'pending', -2), sum(9, 'EUR', 'completed', 2)];
  const { totals, asOf, asOfId } = await readTotals(reader, QUERY);
  assert.deepEqual(totals, [{ ...sum(0, 'EUR', 'completed', 4), day: null }]);
  assert.deepEqual([asOf, asOfId], [6, changeId('store-1', { sequence: 6, nonce: 9 })]);
  assert.deepEqual(state.slices, [[4, 6]]);
});

test('of the changes, only those that are queried are added', async () => {
  const { state, reader } = rig();
  state.storedTotals.headSequence = 4;
  state.sums = [
    sum(1, 'EUR', 'pending', 1),
    sum(2, 'EUR', 'pending', 2),
    sum(2, 'JPY', 'pending', 3),
    sum(2, 'EUR', 'completed', 4),
    sum(3, 'EUR', 'pending', 5),
    sum(4, 'EUR', 'pending', 6),
  ];
  const counts = async (query: Partial<TotalsQuery>) =>
    (await readTotals(reader, { ...QUERY, ...query })).totals.map(({ day, count }) => [day, count]);
  assert.deepEqual(await counts({ status: 'pending', currency: 'EUR', fromDay: 2, toDay: 3 }), [[null, 7]]);
  assert.deepEqual(await counts({ status: 'pending', currency: 'EUR', fromDay: 2, by: 'day' }), [
    [2, 2],
    [3, 5],
    [4, 6],
  ]);
  assert.deepEqual(await counts({ currency: 'JPY', toDay: 2 }), [[null, 3]]);
});

test('changes far behind are read in slices, each of at most MAX_SUMMED, and reported', async () => {
  const { state, reader } = rig();
  state.storedTotals = {
    totals: [],
    totalsSequence: 10,
    headSequence: 10 + 2 * MAX_SUMMED + 1,
    lastNonce: null,
  };
  const reported: [string, number][] = [];
  const onTotalsBehind = (account: string, changes: number) => reported.push([account, changes]);
  assert.equal((await readTotals(reader, QUERY, { onTotalsBehind })).asOf, 11 + 2 * MAX_SUMMED);
  assert.deepEqual(state.slices, [
    [10, 10 + MAX_SUMMED],
    [10 + MAX_SUMMED, 10 + 2 * MAX_SUMMED],
    [10 + 2 * MAX_SUMMED, 11 + 2 * MAX_SUMMED],
  ]);
  assert.deepEqual(reported, [['store-1', 1 + 2 * MAX_SUMMED]]);
});

test('reading ends between two slices when its caller is gone', async () => {
  const { state, reader } = rig();
  state.storedTotals.headSequence = 100 * MAX_SUMMED;
  const abort = new AbortController();
  state.onSlice = () => {
    if (state.slices.length === 3) abort.abort(new Error('the caller is gone'));
  };
  await assert.rejects(
    readTotals(reader, QUERY, { runLong: (read) => read(abort.signal) }),
    /the caller is gone/,
  );
  assert.equal(state.slices.length, 3);
});

test('the number of stored totals that are ahead of a lost head is the number', async () => {
  const { state, reader } = rig();
  state.storedTotals.totalsSequence = 7;
  const onTotalsBehind = () => assert.fail('every change is in the stored totals');
  assert.equal((await readTotals(reader, QUERY, { onTotalsBehind })).asOf, 7);
  assert.deepEqual(state.slices, []);
});
