import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { ArchiveReader } from '../archives/archive.ts';
import type { Transaction } from '../transaction.ts';
import { NO_FILTER } from './list-filter.ts';
import type { ListQuery, TransactionLister } from './list-query.ts';
import { listTransactions } from './list-transactions.ts';

type Lister = TransactionLister & ArchiveReader;

const FIRST_PAGE: ListQuery = { account: 'a', filter: NO_FILTER, after: null };

/** Transactions in the order of the list, several in each millisecond. */
function transactions(count: number): Transaction[] {
  return Array.from({ length: count }, (_, index) => ({
    ...SAMPLE,
    reference: `tx-${String(count - index).padStart(4, '0')}`,
    createdAtMs: 1_000_000 - Math.floor(index / 7),
  }));
}

/** A store of one list, which notes the queries. */
function lister(stored: readonly Transaction[]) {
  const queries: { query: ListQuery; limit: number }[] = [];
  const store: Lister = {
    readArchive: async () => undefined,
    listTransactions: async (query, limit) => {
      queries.push({ query, limit });
      const { after } = query;
      const start =
        after === null ? 0 : stored.findIndex(({ reference }) => reference === after.reference) + 1;
      return { transactions: stored.slice(start, start + limit) };
    },
  };
  return { store, queries };
}

test('following next returns every transaction once, in order', async () => {
  for (const count of [0, 10, 11, 20, 21, 95]) {
    const stored = transactions(count);
    const { store } = lister(stored);
    const read: Transaction[] = [];
    let pages = 0;
    let after: ListQuery['after'] = null;
    do {
      const page = await listTransactions(store, { ...FIRST_PAGE, after });
      read.push(...page.transactions);
      after = page.next;
      pages++;
    } while (after !== null && pages <= count);
    assert.deepEqual(read, stored);
    assert.equal(pages, Math.max(1, Math.ceil(count / 10)));
  }
});

test('a page is one unchanged query to the store, for one transaction more than a page', async () => {
  const query = { account: 'a', filter: { ...NO_FILTER, status: 'pending' }, after: null };
  const { store, queries } = lister(transactions(100));
  await listTransactions(store, query);
  assert.deepEqual(queries, [{ query, limit: 11 }]);
});

test('the log position of the store is part of the position where the next page begins', async () => {
  const store: Lister = {
    readArchive: async () => undefined,
    listTransactions: async (_query, limit) => ({ transactions: transactions(limit), logPosition: '0/1' }),
  };
  assert.equal((await listTransactions(store, FIRST_PAGE)).next?.logPosition, '0/1');
});

test('a failing store is an error, never an empty or a last page', async () => {
  const failure = new StoreUnavailable('database_error', 'gone');
  const store: Lister = {
    readArchive: async () => undefined,
    listTransactions: async () => {
      throw failure;
    },
  };
  await assert.rejects(listTransactions(store, FIRST_PAGE), failure);
});
