import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { migrate as migratePostgres, MIGRATIONS as ON_POSTGRES } from '../../src/db/postgres/migrate.ts';
import { migrate as migrateSqlite, MIGRATIONS as ON_SQLITE } from '../../src/db/sqlite/migrate.ts';
import { openDatabase } from '../../src/db/sqlite/open-database.ts';
import { type ApiKey, makeApiKey, OPERATOR_ACCOUNT } from '../../src/keys/api-key.ts';
import { rollKey } from '../../src/keys/roll-key.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { makePostgresDatabase } from '../rig/postgres.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';

/* Keys from before there were scopes, and those that the version from before creates while both versions run. */

const NOW_MS = Date.UTC(2026, 5, 15, 12);
const NAME = 'key-scopes';

const keyOf = (account: string, expiresAtMs: number | null = null) => ({
  ...makeApiKey({ account, label: 'till 4', expiresAtMs }, NOW_MS - 1000, randomBytes).stored,
  keyStart: null,
});

/** As the version from before inserts a key. */
const insertSql = ({ account, id, hash, label, createdAtMs, expiresAtMs }: ApiKey) =>
  `INSERT INTO api_keys (account, id, hash, label, created_at_ms, expires_at_ms)
   VALUES ('${account}', '${id}', '${hash}', '${label}', ${createdAtMs}, ${expiresAtMs})`;
const revokeSql = ({ id }: ApiKey) =>
  `UPDATE api_keys SET revoked_at_ms = ${NOW_MS - 500}, revocation_recorded_at_ms = ${NOW_MS - 500} WHERE id = '${id}'`;

const KEYS = {
  account: keyOf('store-1'),
  expiring: keyOf('store-1', NOW_MS + 9000),
  revoked: keyOf('store-1'),
  operator: keyOf(OPERATOR_ACCOUNT),
};
const LATER = keyOf('store-2');

async function checkKeys(store: Store): Promise<void> {
  for (const [name, key] of Object.entries({ ...KEYS, later: LATER })) {
    const revokedAtMs = name === 'revoked' ? NOW_MS - 500 : null;
    assert.deepEqual({ ...(await store.findApiKey(key.hash)) }, { ...key, revokedAtMs }, name);
    const request = { graceMs: 5000, expiresAtMs: undefined };
    const rolled = await rollKey(store, { ...key, revokedAtMs }, request, NOW_MS, randomBytes);
    if (name === 'revoked') {
      assert.equal(rolled, undefined);
      continue;
    }
    assert.equal(rolled?.old.expiresAtMs, NOW_MS + 5000);
    const { scopes, accountPrefix, label, expiresAtMs } = (await store.findApiKey(
      rolled.created.hash,
    )) as ApiKey;
    assert.deepEqual([scopes, accountPrefix, label], [key.scopes, null, 'till 4']);
    assert.equal(expiresAtMs, name === 'expiring' ? NOW_MS + 10_000 : null);
  }
}

const before = <Migration extends { name: string }>(migrations: readonly Migration[]) => {
  const end = migrations.findIndex(({ name }) => name === NAME);
  assert.ok(end > 0);
  return migrations.slice(0, end);
};

test('keys from before can do what they could, and can be rolled, on SQLite', async () => {
  assert.deepEqual([KEYS.account.scopes, KEYS.operator.scopes], [['read'], ['record', 'keys']]);
  const folder = temporaryFolder();
  const path = `${folder.path}/transactions.db`;
  const old = openDatabase(path);
  old.exec('PRAGMA journal_mode = WAL');
  migrateSqlite(old, NOW_MS, { waitMs: 0 }, before(ON_SQLITE));
  for (const key of Object.values(KEYS)) old.exec(insertSql(key));
  old.exec(revokeSql(KEYS.revoked));
  const { store } = await openStore(`sqlite:${path}`, () => NOW_MS);
  old.exec(insertSql(LATER));
  await checkKeys(store);
  await store.close();
  old.close();
  const db = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual(db.prepare('PRAGMA integrity_check').all().map(Object.values), [['ok']]);
  db.close();
  folder.remove();
});

test('keys from before can do what they could, and can be rolled, on PostgreSQL', async () => {
  const url = await makePostgresDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await migratePostgres(client, NOW_MS, before(ON_POSTGRES));
  for (const key of Object.values(KEYS)) await client.query(insertSql(key));
  await client.query(revokeSql(KEYS.revoked));
  const { store } = await openStore(url, () => NOW_MS);
  await client.query(insertSql(LATER));
  await checkKeys(store);
  await store.close();
  await client.end();
});
