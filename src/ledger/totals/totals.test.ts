import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALL_TOTALS } from '../../../test/rig/data/all-totals.ts';
import { changeId } from '../changes/change.ts';
import { equalityOf } from '../list/list.ts';
import type { StoredTotalsQuery, Total, TotalsQuery } from './total.ts';
import { readTotals } from './totals.ts';

const QUERY: TotalsQuery = { account: 'store-1', ...ALL_TOTALS };

const total = (day: number | null, currencyCode: string, count: number): Total => ({
  day,
  currencyCode,
  status: 'completed',
  count,
  amountMinor: BigInt(count) * 100n,
});

function rig(totals: Total[]) {
  const queries: StoredTotalsQuery[] = [];
  const reader = {
    readStoredTotals: async (query: StoredTotalsQuery) => {
      queries.push(query);
      return { totals, asOf: 6, lastNonce: 9 };
    },
    sumListed: async () => assert.fail('days of UTC are in the stored totals'),
    readNonce: async () => assert.fail('one read has one history'),
  };
  return { reader, queries };
}

test('the stored totals of a range are read at once, with the id of the last change', async () => {
  const { reader, queries } = rig([total(null, 'EUR', 4)]);
  assert.deepEqual(await readTotals(reader, { ...QUERY, currency: 'EUR', fromDay: 2, toDay: 3 }), {
    totals: [total(null, 'EUR', 4)],
    asOf: 6,
    asOfId: changeId('store-1', { sequence: 6, nonce: 9 }),
    archive: undefined,
  });
  const days = { from: 2, to: 3 };
  assert.deepEqual(queries, [
    { account: 'store-1', ...equalityOf({ ...QUERY, currency: 'EUR' }), byDay: false, days },
  ]);
});

test('totals in any order are sorted, and an empty total is left out', async () => {
  const { reader } = rig([total(2, 'EUR', 1), total(1, 'JPY', 2), total(1, 'EUR', 3), total(1, 'CHF', 0)]);
  const { totals } = await readTotals(reader, { ...QUERY, by: 'day' });
  assert.deepEqual(totals, [total(1, 'EUR', 3), total(1, 'JPY', 2), total(2, 'EUR', 1)]);
});

test('the days of a month are added up, even before 1970', async () => {
  const { reader, queries } = rig([-32, -31, -1, 0, 30, 31].map((day) => total(day, 'EUR', 1)));
  const { totals } = await readTotals(reader, { ...QUERY, by: 'month' });
  assert.deepEqual(totals, [
    total(-61, 'EUR', 1),
    total(-31, 'EUR', 2),
    total(0, 'EUR', 2),
    total(31, 'EUR', 1),
  ]);
  assert.equal(queries[0]?.byDay, true);
});
