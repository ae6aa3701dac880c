import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect } from 'node:util';
import { auditEntry } from '../../../src/audit/audit.ts';
import { sqlState } from '../../../src/db/postgres/driver/errors.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { heldSessions } from '../../rig/database/held-sessions.ts';
import { makeMigratedDatabase } from '../../rig/database/migrated-database.ts';
import {
  isLockAwaited,
  makeServingRole,
  queryPostgres,
  withPostgresClient,
} from '../../rig/database/postgres.ts';
import { until } from '../../rig/run/give-up.ts';
import { someEntry, someStamp } from '../../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../../rig/webhooks/webhooks.ts';

let owner: string;
let service: string;
let store: Store;

before(async () => {
  owner = await makeMigratedDatabase();
  await (await openStore(owner, Date.now)).store.close();
  ({ url: service } = await makeServingRole(owner));
  ({ store } = await openStore(service, Date.now));
  for (const account of ['acct-1', 'acct-2']) {
    const created = auditEntry(someStamp(), 'endpoint.created', account, idOf(1));
    await store.createWebhook(webhook(1, { account }), 20, created);
    await store.storeProgress(account, idOf(1), 1, progress(9, { failed: [failure(3), failure(5)] }));
  }
});

after(() => store.close());
const begin = heldSessions(() => owner);

test('an account counts as moved when the transaction that marked it ends, whichever transactions ended before', async () => {
  const move = (account: string) =>
    begin(`UPDATE watched_accounts SET moved = pg_current_xact_id() WHERE account = '${account}'`);
  let { mark } = await store.listMovedAccounts(null);
  const moved = async () => {
    const listed = await store.listMovedAccounts(mark);
    mark = listed.mark;
    return listed.accounts;
  };
  const early = await move('acct-1');
  const late = await move('acct-2');
  assert.deepEqual(await moved(), []);
  await late.query('COMMIT');
  assert.deepEqual(await moved(), ['acct-2']);
  assert.deepEqual(await moved(), []);
  await early.query('COMMIT');
  assert.deepEqual(await moved(), ['acct-1']);
  await queryPostgres(owner, `UPDATE watched_accounts SET moved = '9999999999999'`);
  assert.deepEqual(await moved(), []);
  assert.equal((await store.listMovedAccounts('9999999999999:9999999999999:')).accounts, null);
});

test('an endpoint that is created while another one is deleted has an entry of the audit trail', async () => {
  const account = 'acct-3';
  await store.createWebhook(webhook(1, { account }), 1, someEntry(account));
  const client = await begin('LOCK TABLE webhook_endpoints IN SHARE ROW EXCLUSIVE MODE');
  const created = store.createWebhook(webhook(2, { account }), 1, someEntry(account));
  const waiting = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'webhook_endpoints'::regclass`;
  while ((await client.query(waiting)).rowCount === 0) await delay(5);
  await client.query('DELETE FROM webhook_endpoints WHERE account = $1', [account]);
  await client.query('COMMIT');
  assert.equal(await created, true);
  const count = 'SELECT count(*)::int AS entries FROM account_audit WHERE account = $1';
  assert.deepEqual((await client.query(count, [account])).rows, [{ entries: 2 }]);
});

test('instances that watch the same accounts lock them in one order', async () => {
  const watching = (account: string) =>
    `INSERT INTO watched_accounts (account, moved) VALUES ('${account}', '1')`;
  const other = await begin(watching('watched-1'));
  const watched = store.watchAccounts(['watched-2', 'watched-1']);
  await until(() => isLockAwaited(owner));
  await other.query(watching('watched-2'));
  await other.query('COMMIT');
  await watched;
});

test('a role sees and changes no account or endpoint that a statement neither names nor delivers to', async () => {
  await withPostgresClient(service, '', async (client) => {
    const name = (setting: string, value: string) =>
      client.query(`SELECT set_config('transactions.${setting}', $1, false)`, [value]);
    const seen = async (table: string) =>
      (await client.query(`SELECT DISTINCT account FROM ${table} ORDER BY account`)).rows;
    await assert.rejects(seen('key_audit'), { message: 'permission denied for table key_audit' });
    const actions = async () => (await client.query('SELECT account, action FROM account_audit')).rows;
    assert.deepEqual(await actions(), []);
    await name('account', 'acct-2');
    const ended = `'acct-2', 1, 'au_${'0'.repeat(16)}', 'endpoint.deleted', '${idOf(1)}', 'api'`;
    await client.query(
      `INSERT INTO account_audit (account, at_ms, id, action, subject, via) VALUES (${ended})`,
    );
    assert.deepEqual(await actions(), [{ account: 'acct-2', action: 'endpoint.created' }]);
    await name('account', '');
    await assert.rejects(client.query('DELETE FROM watched_accounts'), {
      message: 'permission denied for table watched_accounts',
    });
    for (const table of ['webhook_endpoints', 'webhook_failures']) {
      assert.deepEqual(await seen(table), [], table);
      await name('account', 'acct-2');
      assert.deepEqual(await seen(table), [{ account: 'acct-2' }], table);
      await name('account', 'acct-9');
      assert.deepEqual(await seen(table), [], table);
      await name('delivering', 'on');
      assert.deepEqual((await seen(table))[0], { account: 'acct-1' }, table);
      for (const change of [`UPDATE ${table} SET account = 'acct-1'`, `DELETE FROM ${table}`])
        assert.equal((await client.query(change)).rowCount, 0, change);
      await name('account', '');
      await name('delivering', '');
    }
  });
});

test('an endpoint that the database refuses is reported without its secret', async (t) => {
  await queryPostgres(owner, `ALTER TABLE webhook_endpoints ADD CHECK (label <> 'refused')`);
  const refused = webhook(7, { account: 'acct-1', label: 'refused' });
  const opened = await openStore(owner, Date.now);
  t.after(() => opened.store.close());
  await assert.rejects(opened.store.createWebhook(refused, 20, someEntry()), (error: Error) => {
    assert.equal(sqlState(error), '23514');
    assert.ok(!inspect(error, { showHidden: true, depth: 9 }).includes(refused.secret.slice(0, 20)));
    return true;
  });
});
