import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ACCOUNT,
  CARRIED,
  CURSOR,
  faultOf,
  faultsOf,
  problemOf,
  type Query,
  read,
} from '../../../../test/rig/data/list-query.ts';
import { SAMPLE } from '../../../../test/rig/data/transactions.ts';
import { MAX_PARAMETERS } from '../../../../values/interface/limits.ts';
import { parseQuery } from '../../../http/server/begin-request.ts';
import type { Archive, ArchiveReader } from '../../archives/archive.ts';
import type { ListQuery, TransactionLister } from '../list.ts';
import { NO_FILTER } from '../list.ts';
import { listPage } from './list-query.ts';

test('without parameters, the query is for the first page of all transactions', () => {
  assert.deepEqual(read({}), { account: ACCOUNT, filter: NO_FILTER, after: null });
});

test('each filter restricts the list to exactly the value that was sent', () => {
  for (const [name, value] of Object.entries({ ...CARRIED, status: 'failed' }))
    assert.deepEqual(read({ [name]: value }).filter, { ...NO_FILTER, [name]: value });
  assert.deepEqual(read(CARRIED), { account: ACCOUNT, filter: CARRIED, after: null });
});

test('a value that no filter can have is refused with a code of its own, alone or beside a cursor', () => {
  for (const [name, code, values] of [
    ['currency', 'invalid_currency', ['', 'eur', 'DEM', '978', 'EUR,USD']],
    ['merchantReference', 'invalid_merchant_reference', ['', 'x'.repeat(256)]],
    ['from', 'invalid_date', ['2026-02-30']],
  ] as const)
    for (const value of values) assert.deepEqual(faultsOf({ [name]: value }), [`${name} ${code}`]);
  assert.deepEqual(faultsOf({ from: '2026-02-30', to: '2020-01-01' }), ['from invalid_date']);
  assert.equal(faultOf({ status: 'x', cursor: CURSOR }).code, 'invalid_status');
  for (const name of ['limit', 'after'])
    assert.deepEqual(faultsOf({ [name]: '5' }), [`${name} unknown_parameter`]);
  for (const cursor of ['!', `${CURSOR}A`])
    assert.deepEqual(faultsOf({ cursor }), ['cursor cursor_malformed']);
  assert.deepEqual(faultsOf({ from: ['a', 'b'] }), ['from duplicate_parameter']);
  assert.deepEqual(faultsOf({ from: '2026-04-01', to: '2026-03-31' }), ['from date_range_inverted']);
  assert.deepEqual(faultsOf({ from: '2026-01-01', to: '2026-04-02' }), ['to date_range_too_long']);
});

test('invalid_request: unread parameters are counted, and the range and the cursor are not checked', () => {
  const read = ['from=2026-12-31', 'to=2026-01-01', 'cursor=x', 'nonsense'];
  const repeated = Array.from({ length: MAX_PARAMETERS - read.length + 7 }, () => 'status=pending');
  const problem = problemOf(parseQuery([...read, ...repeated].join('&')) as Query);
  assert.deepEqual([problem.status, problem.code], [400, 'invalid_request']);
  assert.deepEqual(
    problem.options.errors?.map(({ parameter, code }) => `${parameter} ${code}`),
    ['nonsense unknown_parameter', 'status duplicate_parameter'],
  );
  assert.equal(problem.message, 'The request has 9 faults: 2 in errors, and 7 more.');
});

type Lister = TransactionLister & ArchiveReader;

const FIRST_PAGE: ListQuery = { account: 'a', filter: NO_FILTER, after: null };

test('the log position of the store is part of the position where the next page begins', async () => {
  const store: Lister = {
    readArchive: async () => undefined,
    listTransactions: async (_query, limit) => ({
      transactions: Array(limit).fill(SAMPLE),
      logPosition: '0/1',
    }),
  };
  assert.equal((await listPage(store, FIRST_PAGE)).next?.logPosition, '0/1');
});

test('the archive of a page is that of its snapshot, and is read only if nothing was found', async () => {
  const readArchive = async () => ({ beforeMs: 2 }) as Archive;
  for (const [archivedBeforeMs, archive] of [
    [null, undefined],
    [1, { beforeMs: 1 }],
    [undefined, { beforeMs: 2 }],
  ] as const) {
    const found = archivedBeforeMs === undefined ? {} : { archivedBeforeMs };
    const store: Lister = { readArchive, listTransactions: async () => ({ transactions: [], ...found }) };
    assert.deepEqual((await listPage(store, FIRST_PAGE)).archive, archive);
  }
});
