import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ALL_TOTALS } from '../../../test/rig/data/all-totals.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { equalityOf, NO_FILTER } from '../list/list.ts';
import type { ListedSumQuery } from './total.ts';
import { MAX_SUMMED_ROWS, readTotals } from './totals.ts';

const QUERY = { account: 'store-1', ...ALL_TOTALS, currency: 'EUR', merchantReference: 'order-1' };

function readerOf(transactions: number, nonceAfterwards = 7) {
  const queries: ListedSumQuery[] = [];
  const total = { partStartMs: null, currencyCode: 'EUR', status: 'completed', amountMinor: 1n };
  const reader = {
    readStoredTotals: async () => ({ totals: [], asOf: 9, lastNonce: 7 }),
    readNonce: async () => nonceAfterwards,
    sumListed: async (query: ListedSumQuery) => {
      const left = transactions - 1000 * queries.push(query) + 1000;
      const totals = [{ ...total, count: Math.min(1000, left) }];
      if (left <= 1000)
        return {
          totals: [...totals, { ...total, currencyCode: 'USD', count: 1 }],
          created: null,
          next: null,
        };
      return { totals, created: null, next: { createdAtMs: left, reference: 'a' } };
    },
  };
  return { reader, queries };
}

test('the rows of a merchantReference are summed up to the head, and other filters then choose among the totals', async () => {
  const { reader, queries } = readerOf(2500);
  const { totals, asOf } = await readTotals(reader, QUERY);
  assert.deepEqual(
    totals.map(({ currencyCode, count }) => [currencyCode, count]),
    [['EUR', 2500]],
  );
  assert.equal(asOf, 9);
  for (const { filter, asOf: upTo } of queries)
    assert.deepEqual([filter, upTo], [{ ...equalityOf(NO_FILTER), merchantReference: 'order-1' }, 9]);
  assert.equal(queries.length, 3);
});

test('too many rows are refused after the read that exceeds the limit', async () => {
  const most = readerOf(MAX_SUMMED_ROWS - 1);
  assert.equal((await readTotals(most.reader, QUERY)).totals[0]?.count, MAX_SUMMED_ROWS - 1);
  const { reader, queries } = readerOf(100 * MAX_SUMMED_ROWS);
  await assert.rejects(readTotals(reader, QUERY), { code: 'date_range_too_long' });
  assert.equal(queries.length, MAX_SUMMED_ROWS / 1000 + 1);
});

test('the limit counts all rows that are read, not only those that were paid in the range', async () => {
  const { reader } = readerOf(2 * MAX_SUMMED_ROWS);
  const ofNoPayment = {
    ...reader,
    sumListed: async (query: ListedSumQuery) => {
      const sum = await reader.sumListed(query);
      return query.paid === null ? sum : { ...sum, totals: [] };
    },
  };
  const query = { ...QUERY, paid: { fromMs: 0, beforeMs: 1 } };
  await assert.rejects(readTotals(ofNoPayment, query), { code: 'date_range_too_long' });
});

test('if the history is replaced between two reads, there are no totals', async () => {
  await assert.rejects(readTotals(readerOf(1, 8).reader, QUERY), StoreUnavailable);
});
