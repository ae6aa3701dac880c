import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import pg from 'pg';
import type { Store } from '../../../src/core/store.ts';
import { explainDatabaseUrl, openStore } from '../../../src/store/open-store.ts';
import {
  explainPostgresUrl,
  maskPostgresUrl,
  parsePostgresUrl,
} from '../../../src/store/postgres/address.ts';
import { refuseOldServer } from '../../../src/store/postgres/database.ts';
import { MIGRATIONS, migrate } from '../../../src/store/postgres/migrate.ts';
import { askPostgres, makePostgresDatabase, postgresUrl } from '../../rig/postgres.ts';

const WORD = 'hunter2-%40';

async function refusal(url: string): Promise<string> {
  const opened = openStore(url, Date.now, { timeoutMs: 300, connections: 1 });
  const error = await opened.then(
    ({ store }) => store.close().then(() => assert.fail(`${url} was opened`)),
    (refused: Error) => refused,
  );
  assert.equal(error.name, 'StoreRefused');
  assert.doesNotMatch(error.message, /hunter2/);
  assert.match(error.message, /^The database postgres:\/\/.* can't be used: .*\.$/);
  return error.message;
}

test('ten instances that start at once on an empty database all serve, and one of them migrates', async () => {
  // Between BEGIN and the lock another one may commit: each time is another order.
  for (let time = 0; time < 10; time++) await startTenAtOnce();
});

async function startTenAtOnce(): Promise<void> {
  const url = await makePostgresDatabase();
  const opened = await Promise.all(Array.from({ length: 10 }, () => openStore(url, Date.now)));
  assert.equal(opened.flatMap(({ migrated }) => migrated).length, MIGRATIONS.length);
  await Promise.all(opened.map(({ store }: { store: Store }) => store.ping().then(() => store.close())));
}

test('a schema that is newer than the program is refused', async () => {
  const url = await makePostgresDatabase();
  await (await openStore(url, Date.now)).store.close();
  await askPostgres(url, `INSERT INTO schema_migrations VALUES (99, 'later', 'x', 0)`);
  assert.match(await refusal(url), /version 99 .* run a newer program/);
});

test('a migration whose text is not the one that was applied is refused', async () => {
  const url = await makePostgresDatabase();
  await (await openStore(url, Date.now)).store.close();
  await askPostgres(url, `UPDATE schema_migrations SET checksum = 'x'`);
  assert.match(await refusal(url), /migration 1 is not the one of this program/);
});

test("another program's table of one of our names is left alone, and told", async () => {
  for (const [table, column] of [
    ['transactions', 'id'],
    ['schema_migrations', 'filename'],
  ]) {
    const url = await makePostgresDatabase();
    await askPostgres(url, `CREATE TABLE ${table} (${column} text)`);
    assert.match(await refusal(url), new RegExp(`its table ${table} is another program's`));
    const tables = await askPostgres(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`);
    assert.deepEqual(tables, [{ tablename: table }]);
  }
});

test("another program's tables of other names do not matter, nor does a schema of our own in its database", async () => {
  const url = await makePostgresDatabase();
  await askPostgres(
    url,
    'CREATE TABLE orders (id integer); CREATE TABLE transactions (id integer); CREATE SCHEMA ours',
  );
  const { store, migrated } = await openStore(`${url}?options=-csearch_path%3Dours`, Date.now);
  assert.equal(migrated.length, MIGRATIONS.length);
  await store.ping();
  await store.close();
});

test('a migration that builds an index beside the running service is applied once, by several programs at once', async () => {
  const url = await makePostgresDatabase();
  const known = [
    ...MIGRATIONS,
    {
      version: MIGRATIONS.length + 1,
      name: 'an-index',
      sql: '-- concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_amount ON transactions (account, amount_minor)',
      checksum: 'c',
    },
  ];
  const applied = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const migrated = await migrate(client, 0, known);
      await client.end();
      return migrated.length;
    }),
  );
  assert.equal(
    applied.reduce((sum, count) => sum + count),
    known.length,
  );
  const valid = await askPostgres(
    url,
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_amount'::regclass`,
  );
  assert.deepEqual(valid, [{ indisvalid: true }]);
});

test('a failing migration leaves nothing of itself', async () => {
  const url = await makePostgresDatabase();
  const sql = 'CREATE TABLE half (id integer); SELECT 1 / 0';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const known = [...MIGRATIONS, { version: MIGRATIONS.length + 1, name: 'failing', sql, checksum: 'c' }];
  await assert.rejects(migrate(client, 0, known), { code: '22012' });
  await client.end();
  assert.deepEqual(await askPostgres(url, `SELECT to_regclass('half') AS half`), [{ half: null }]);
  await (await openStore(url, Date.now)).store.close();
});

test('a server that is too old is refused', () => {
  assert.throws(() => refuseOldServer(140_012), {
    name: 'StoreRefused',
    message: /PostgreSQL 14, and 15 or later/,
  });
  refuseOldServer(150_000);
});

test('an address that leads nowhere is told in a sentence, without the password', async () => {
  const { port } = new URL(await postgresUrl());
  const user = `postgres:${WORD}`;
  assert.match(await refusal(`postgres://${user}@127.0.0.1:1/payments`), /nothing listens there/);
  assert.match(await refusal(`postgres://${user}@nowhere.invalid/payments`), /host name is not known/);
  assert.match(await refusal(`postgres://${user}@127.0.0.1:${port}/missing`), /no such database/);
  const role = `nobody_here:${WORD}`;
  assert.match(await refusal(`postgres://${role}@127.0.0.1:${port}/postgres`), /refuses the user/);
});

test('a server that accepts and never answers is told in a sentence, in time', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  assert.match(
    await refusal(`postgres://postgres:${WORD}@127.0.0.1:${port}/payments`),
    /does not answer in time/,
  );
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('an address that is none is told without its password, and a masked one never holds it', () => {
  for (const url of [
    'postgres://',
    'postgres://u:hunter2@h',
    'postgres://u:hunter2@h:99999/d',
    'postgres://u:hunter2%zz@h/d',
  ]) {
    assert.match(String(explainDatabaseUrl(url)), /postgres:\/\/USER:PASSWORD@HOST:PORT\/DATABASE/);
    assert.doesNotMatch(`${explainDatabaseUrl(url)} ${maskPostgresUrl(url)}`, /hunter2/);
  }
  const url = 'postgresql://user:hunter2@@one:5433,two/db?sslmode=disable&password=hunter2&options=-cx%3D1';
  assert.equal(explainPostgresUrl(url), undefined);
  assert.equal(maskPostgresUrl(url), 'postgresql://user@one:5433,two/db');
  assert.deepEqual(parsePostgresUrl(url), {
    urls: [
      'postgresql://user:hunter2%40@one:5433/db?sslmode=disable&password=hunter2',
      'postgresql://user:hunter2%40@two/db?sslmode=disable&password=hunter2',
    ],
    options: '-cx=1',
  });
});
