import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Connection } from '../../../src/db/postgres/driver/index.ts';
import { type Export, NO_EXPORT_FILTER } from '../../../src/ledger/exports/export.ts';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { sumAllListed } from '../../../src/ledger/totals/reads.ts';
import { readTotals } from '../../../src/ledger/totals/totals.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { ALL_TOTALS } from '../../rig/data/all-totals.ts';
import { completed, pending } from '../../rig/data/changes.ts';
import { sumQuery } from '../../rig/data/expected-list.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import {
  makePostgresDatabase,
  makeServingRole,
  queryPostgres,
  withPostgresClient,
} from '../../rig/database/postgres.ts';

const TIMEOUT_MS = 60_000;
const OPTIONS = { timeoutMs: TIMEOUT_MS, connections: 1 };

const EXPORT: Export = {
  id: 'exp_0000000000000001',
  account: 'acct-1',
  format: 'ndjson',
  spreadsheet: false,
  filter: NO_EXPORT_FILTER,
  created: null,
  asOf: 2,
  asOfId: null,
  seal: null,
  totals: [],
  startedAtMs: 5000,
  result: null,
};

const countOf = async (store: Store, account: string) =>
  (await readTotals(store, { account, ...ALL_TOTALS })).totals.reduce((sum, { count }) => sum + count, 0);

test('finding damaged totals takes one more database transaction for each account', async (t) => {
  const url = await makeMigratedDatabase();
  const { store } = await openStore(url, Date.now, OPTIONS);
  t.after(() => store.close());
  const accounts = ['acct-1', 'acct-2', 'acct-3'];
  const waiting = accounts.flatMap((account) =>
    Array.from({ length: 50 }, (_, nth) => pending(account, `r${nth}`)),
  );
  await record(store, waiting);
  await queryPostgres(url, "UPDATE daily_totals SET count = 0 WHERE account <> 'acct-2'");
  const sent = t.mock.method(Connection.prototype, 'transact');
  const results = await store.record(waiting.map(completed));
  assert.deepEqual(
    new Set(results.map(({ outcome }, nth) => `${waiting[nth]?.account} ${outcome}`)),
    new Set(['acct-1 failed', 'acct-2 changed', 'acct-3 failed']),
  );
  assert.equal(sent.mock.callCount(), 3);
});

describe('a role that only reads', () => {
  let owner: string;
  let service: string;
  let store: Store;

  before(async () => {
    owner = await makePostgresDatabase();
    const opened = await openStore(owner, Date.now, OPTIONS);
    ({ url: service } = await makeServingRole(owner));
    await record(opened.store, [
      transaction('acct-1', 'a'),
      pending('acct-1', 'b'),
      { ...transaction('acct-1', 'c'), merchantReference: 'order-1' },
      { ...transaction('acct-2', 'a'), merchantReference: 'order-1' },
    ]);
    await record(opened.store, [transaction('acct-1', 'd'), transaction('acct-2', 'd')]);
    await opened.store.close();
    ({ store } = await openStore(service, Date.now, OPTIONS));
  });
  after(async () => {
    await store.close();
  });

  test('reads totals and stores exports of each account with the rights that migrate grants', async () => {
    assert.equal(await countOf(store, 'acct-1'), 4);
    assert.equal(await countOf(store, 'acct-2'), 2);
    const query = { account: 'acct-1', filter: NO_FILTER, after: null };
    assert.equal((await store.listNumbered(query, 10)).length, 4);
    const filter = { ...NO_FILTER, merchantReference: 'order-1' };
    assert.deepEqual(
      (await sumAllListed(store, sumQuery('acct-1', filter, 9))).map(({ count }) => count),
      [1],
    );
    const expired = { ...EXPORT, account: 'acct-2', startedAtMs: 1000 };
    for (const created of [expired, EXPORT])
      await store.createExport(created, { expiredMs: 0, perAccount: 100 });
    const replaced = { ...EXPORT, asOf: 3 };
    assert.equal(await store.replaceExport(replaced), true);
    await store.removeExpiredExports(2000);
    assert.equal(await store.findExport('acct-2', EXPORT.id), undefined);
    assert.deepEqual(await store.findExport('acct-1', EXPORT.id), replaced);
  });

  test('sees nothing of another account if a statement does not name the account', async () => {
    await withPostgresClient(service, '', async (client) => {
      for (const table of ['daily_totals', 'exports']) {
        await client.query(`SELECT set_config('transactions.account', '', false)`);
        assert.deepEqual((await client.query(`SELECT account FROM ${table}`)).rows, [], table);
        await client.query(`SELECT set_config('transactions.account', 'acct-1', false)`);
        const { rows } = await client.query(`SELECT DISTINCT account FROM ${table}`);
        assert.deepEqual(rows, [{ account: 'acct-1' }], table);
      }
      const foreign = `INSERT INTO exports (account, id, started_at_ms, record) VALUES ('acct-2', 'exp_0000000000000009', 1, '{}')`;
      await assert.rejects(client.query(foreign), { code: '42501' });
      await assert.rejects(client.query(`UPDATE exports SET account = 'acct-2'`), { code: '42501' });
    });
  });
});
