import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { arrayQuery } from '../../../src/db/postgres/driver/statement.ts';
import { sessionCreated, sessionEnded } from '../../../src/keys/keys.ts';
import { exchangeCode, makeSession } from '../../../src/keys/session.ts';
import { NO_FILTER, shapeOf } from '../../../src/ledger/list/list.ts';
import { listSql } from '../../../src/ledger/list/postgres/list-sql.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import {
  makePostgresDatabase,
  makeServingRole,
  queryPostgres,
  withPostgresClient,
} from '../../rig/database/postgres.ts';
import { PENDING, recordingInto } from '../../rig/http/request-bodies.ts';
import { testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { someEntry, someStamp } from '../../rig/store/audit.ts';
import { storeWith } from '../../rig/store/store-with.ts';
import { apiKey } from '../api-keys-contract.ts';

const ACTIVE = apiKey('key_000000000000live', { account: 'acct-1' });
const REVOKED = apiKey('key_000000000000dead', { account: 'acct-1' });

let role: string;
let owner: string;
let service: string;
let store: Store;

before(async () => {
  owner = await makePostgresDatabase();
  const opened = await openStore(owner, Date.now);
  for (const key of [ACTIVE, REVOKED]) await opened.store.createApiKey(key, someEntry());
  await opened.store.revokeApiKey(REVOKED.id, 1000, someEntry());
  await record(opened.store, [
    transaction('acct-1', 'a'),
    transaction('acct-1', 'b'),
    transaction('acct-2', 'a'),
  ]);
  await opened.store.close();
  ({ role, url: service } = await makeServingRole(owner));
  ({ store } = await openStore(service, Date.now));
});

after(async () => {
  await store.close();
});

test('without the account in the statement, another account is still not visible', async () => {
  const { shape } = shapeOf({ account: 'store-1', filter: NO_FILTER, after: null });
  const sql = listSql(shape, { topology: 'one server' });
  const without = sql.replace('account = caller.account', 'true');
  assert.notEqual(without, sql);
  for (const options of [optionsOf(LIST_SETTINGS), '']) {
    const client = new pg.Client({ connectionString: service, options });
    await client.connect();
    const referencesOf = async (account: string) => {
      const { rows } = await client.query<[string]>(arrayQuery(without, [account, 11], 'without'));
      return rows.map(([reference]) => reference);
    };
    for (let count = 0; count < 7; count++) {
      assert.deepEqual(await referencesOf('acct-1'), ['acct-1.b', 'acct-1.a']);
      assert.deepEqual(await referencesOf('acct-2'), ['acct-2.a']);
      assert.deepEqual(await referencesOf('acct-3'), []);
    }
    assert.deepEqual((await client.query('SELECT reference FROM transactions')).rows, []);
    await client.end();
  }
});

test('in totals and exports, no row of another account is visible or can be written', async () => {
  await queryPostgres(
    owner,
    `INSERT INTO exports (account, id, started_at_ms, record) SELECT 'acct-' || n, 'exp_0000000000000001', 1, '{}' FROM generate_series(1, 2) AS n`,
  );
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

for (const [what, sql] of [
  ['record', `INSERT INTO transactions SELECT * FROM transactions`],
  ['change', `UPDATE transactions SET amount_minor = 1`],
  ['delete', `DELETE FROM transactions`],
  [
    'make a key',
    `INSERT INTO api_keys (id, account, hash, key_start, scopes, created_at_ms) VALUES ('key_0000000000000000', 'a', repeat('0', 64), 'tk_live_aaaaaa', 'read', 0)`,
  ],
  ['revive a key', `UPDATE api_keys SET revoked_at_ms = NULL, end_recorded_at_ms = NULL`],
  ['give a key another hash', `UPDATE api_keys SET hash = repeat('0', 64) WHERE kind = 'key'`],
  ['hide the end of a key', `UPDATE api_keys SET end_recorded_at_ms = 1`],
  ['end a key later', `UPDATE api_keys SET expires_at_ms = NULL`],
  ['give a key a scope', `UPDATE api_keys SET scopes = 'read webhooks'`],
  ['give a key another prefix', `UPDATE api_keys SET account_prefix = NULL`],
  ['forget a migration', `DELETE FROM schema_migrations`],
  ['turn row-level security off', `ALTER TABLE transactions DISABLE ROW LEVEL SECURITY`],
  ['make a table', `CREATE TABLE other (id integer)`],
  ['add to the stored totals', `INSERT INTO daily_totals SELECT * FROM daily_totals`],
  ['change the stored totals', `UPDATE daily_totals SET count = 0`],
] as const) {
  test(`the role of the service may not ${what}`, async () => {
    await assert.rejects(queryPostgres(service, sql), { code: '42501' });
  });
}

test('a role that serves can open and end sessions, but cannot replace the key of an open one or reopen an ended one', async () => {
  const opened = await openStore(owner, Date.now);
  const wanted = { account: 'acct-1', person: 'ada', reason: null, expiresInMs: 60_000, maker: null };
  const { code, stored } = makeSession({ ...wanted, scopes: ['read'] }, Date.now(), randomBytes);
  await opened.store.createApiKey(stored, sessionCreated(stored, someStamp(1)));
  await opened.store.close();
  const exchanged = await exchangeCode(store, code, () => someStamp(Date.now()), randomBytes);
  assert.ok(exchanged);
  const change = (set: string) =>
    queryPostgres(service, `UPDATE api_keys SET ${set} WHERE id = '${stored.id}'`);
  await assert.rejects(change(`hash = repeat('0', 64)`), { code: '42501' });
  const end = { account: 'acct-1', person: null, id: stored.id, nowMs: Date.now() };
  assert.equal((await store.endSessions(end, sessionEnded(stored, someStamp(2)))).length, 1);
  await assert.rejects(change('revoked_at_ms = NULL, end_recorded_at_ms = NULL'), { code: '42501' });
  await assert.rejects(queryPostgres(service, 'SELECT * FROM key_audit'), { code: '42501' });
});

test('a role without the rights gets an error with what it lacks and what to do, without its password', async () => {
  const url = new URL(await makePostgresDatabase());
  const { store: made } = await openStore(url.href, Date.now);
  await made.close();
  url.username = role;
  url.password = 'secret-word';
  await assert.rejects(openStore(url.href, Date.now), (error: Error) => {
    assert.match(error.message, /lacks a right: permission denied for table schema_migrations\..*--grant-to/);
    assert.doesNotMatch(error.message, /secret-word/);
    return true;
  });
});

test('500: a missing right is a fault of the configuration, not a reason to try again', async () => {
  await assert.rejects(store.revokeApiKey(ACTIVE.id, 0, someEntry()), {
    name: 'StoreRefused',
    message:
      /lacks a right: permission denied for keys, and for what never changes of a session\. Record, import and make keys as the role that owns the tables\. .*--grant-to/,
  });
  const query = { account: 'acct-1', filter: NO_FILTER, after: null };
  assert.equal((await store.listTransactions(query, 11)).transactions.length, 2);
  await assert.rejects(store.record([transaction('acct-1', 'c')]), { name: 'StoreRefused' });
  const created = apiKey('key_0000000000000001', { account: 'acct-1' });
  const roll = { account: 'acct-1', id: 'key_0000000000000000', created, untilMs: 0, nowMs: 0 };
  await assert.rejects(store.rollApiKey(roll, someEntry()), { name: 'StoreRefused' });

  const opened = await openStore(owner, Date.now);
  const operator = await buildTestOperatorApp(
    storeWith(store, { createApiKey: (key) => opened.store.createApiKey(key, someEntry()) }),
    testClock(),
  );
  const { put, batch } = recordingInto(operator, 'acct-1');
  const { status, headers, body } = await put('c');
  assert.deepEqual([status, body.code, headers['retry-after']], [500, 'internal_error', undefined]);
  assert.match(operator.logged.join(''), /lacks a right: permission denied/);
  assert.deepEqual(await batch({ reference: 'd', ...PENDING }, { reference: 'e', ...PENDING }), [
    'failed',
    'failed',
  ]);
  assert.match(
    operator.logged.join(''),
    /lacks a right: permission denied.*could not record lines of a batch/,
  );
  await opened.store.close();
});

test('a role that must record and lacks the rights is refused, and the error lists them', async () => {
  await assert.rejects(openStore(service, Date.now, { connections: 1, records: true }), {
    name: 'StoreRefused',
    message:
      /may not record, and OPERATOR_PORT is set: it lacks INSERT on transactions, UPDATE .*row-level security\. Serve the operator's interface as the role that owns the tables/,
  });
  const asOwner = await openStore(owner, Date.now, { connections: 1, records: true });
  await asOwner.store.close();
});
