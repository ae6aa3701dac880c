import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import {
  explainPostgresUrl,
  maskPostgresUrl,
  parsePostgresUrl,
} from '../../../src/db/postgres/driver/address.ts';
import { connectToPrimary, refuseOldServer } from '../../../src/db/postgres/driver/connect.ts';
import { MIGRATIONS, namesMadeBy } from '../../../src/db/postgres/migrate.ts';
import { explainDatabaseUrl, openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { record, transaction } from '../../rig/data/transactions.ts';
import { makeMigratedDatabase, migrateFurther } from '../../rig/database/migrated-database.ts';
import {
  makePostgresDatabase,
  postgresUrl,
  queryPostgres,
  sessionLimits,
} from '../../rig/database/postgres.ts';
import { GIVE_UP_MS } from '../../rig/run/give-up.ts';

const WORD = 'hunter2-%40';

async function refusal(url: string, timeoutMs = GIVE_UP_MS): Promise<string> {
  const opened = openStore(url, Date.now, { timeoutMs, connections: 1 });
  const error = await opened.then(
    ({ store }) => store.close().then(() => assert.fail(`${url} was opened`)),
    (refused: Error) => refused,
  );
  assert.equal(error.name, 'StoreRefused');
  assert.doesNotMatch(error.message, /hunter2/);
  assert.match(error.message, /^The database postgres:\/\/.* can't be used: .*\.$/);
  return error.message;
}

test('of ten instances that start at once on an empty database, one migrates and all serve', async () => {
  for (let time = 0; time < 10; time++) await startTenAtOnce();
});

async function startTenAtOnce(): Promise<void> {
  const url = await makePostgresDatabase();
  const opened = await Promise.all(Array.from({ length: 10 }, () => openStore(url, Date.now)));
  assert.equal(opened.flatMap(({ migrated }) => migrated).length, MIGRATIONS.length);
  await Promise.all(opened.map(({ store }: { store: Store }) => store.ping().then(() => store.close())));
}

test('a schema that is newer than the program is refused', async () => {
  const url = await makeMigratedDatabase();
  await queryPostgres(url, `INSERT INTO schema_migrations VALUES (99, 'later', 'x', 0)`);
  assert.match(await refusal(url), /version 99 .* run a newer program/);
});

for (const [what, sql, found] of [
  ['table', 'CREATE TABLE transactions (id text)', 'table transactions'],
  [
    'index',
    'CREATE TABLE payments (at text); CREATE INDEX transactions_by_time ON payments (at)',
    'index transactions_by_time',
  ],
  ['name of a primary key', 'CREATE VIEW api_keys_pkey AS SELECT 1', 'view api_keys_pkey'],
  ['type', "CREATE TYPE api_keys AS ENUM ('a')", 'type api_keys'],
] as const) {
  test(`another program's ${what} with a name of this service is refused before anything is changed`, async () => {
    const url = await makePostgresDatabase();
    await queryPostgres(url, sql);
    const names = () => queryPostgres(url, NAMES);
    const before = await names();
    assert.match(
      await refusal(url),
      new RegExp(`its ${found} belongs to another program\\. .* Nothing was changed\\.`),
    );
    assert.deepEqual(await names(), before);
  });
}

const NAMES = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY relname`;

test("another program's index with the name that a pending migration needs is refused, and applied migrations stay", async () => {
  const url = await makeMigratedDatabase();
  await queryPostgres(
    url,
    'CREATE TABLE payments (at text); CREATE INDEX transactions_made_up ON payments (at)',
  );
  await assert.rejects(
    migrateFurther(url, 'CREATE INDEX transactions_made_up ON transactions (account)'),
    /its index transactions_made_up belongs to another program/,
  );
  const [row] = await queryPostgres(url, 'SELECT count(*)::int AS applied FROM schema_migrations');
  assert.equal(row?.['applied'], MIGRATIONS.length);
});

test('every name that the migrations create is checked before the first migration runs', async () => {
  const url = await makeMigratedDatabase();
  const checked = MIGRATIONS.map(({ sql }) => namesMadeBy(sql)).flatMap(({ tables, indexes }) => [
    ...tables,
    ...indexes,
  ]);
  const made = (await queryPostgres(url, NAMES)).map(({ name }) => name);
  assert.deepEqual(made.toSorted(), [...checked, 'schema_migrations', 'schema_migrations_pkey'].toSorted());
});

test("a schema whose name needs quotes in SQL is migrated and served, beside another program's tables", async () => {
  const url = await makePostgresDatabase();
  await queryPostgres(url, 'CREATE TABLE transactions (id integer); CREATE SCHEMA "Payments 1"');
  const { store, migrated } = await openStore(`${url}?options=-csearch_path=%22Payments%5C%201%22`, Date.now);
  await store.ping();
  await store.close();
  assert.equal(migrated.length, MIGRATIONS.length);
  const made = await queryPostgres(url, `SELECT 1 FROM pg_tables WHERE schemaname = 'Payments 1'`);
  assert.ok(made.length > 0);
});

test('a database whose encoding is not UTF8 is refused', async () => {
  const server = await postgresUrl();
  for (const encoding of ['SQL_ASCII', 'LATIN1']) {
    const name = `test_${encoding.toLowerCase()}_${process.pid}`;
    await queryPostgres(
      `${server}/postgres`,
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C'`,
    );
    try {
      assert.match(
        await refusal(`${server}/${name}`),
        new RegExp(`its encoding is ${encoding}, and UTF8 is needed: .*--encoding=UTF8`),
      );
      assert.deepEqual(await queryPostgres(`${server}/${name}`, NAMES), []);
    } finally {
      await queryPostgres(`${server}/postgres`, `DROP DATABASE ${name} WITH (FORCE)`);
    }
  }
});

test('a migration that builds an index concurrently is applied once, when several programs run it at once', async () => {
  const url = await makePostgresDatabase();
  const sql =
    '-- concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_amount ON transactions (account, amount_minor)';
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateFurther(url, sql)));
  assert.equal(applied.flat().length, MIGRATIONS.length + 1);
  const valid = await queryPostgres(
    url,
    `SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_amount'::regclass`,
  );
  assert.deepEqual(valid, [{ indisvalid: true }]);
});

test('a concurrent build that was interrupted is begun again', async () => {
  const url = await makePostgresDatabase();
  const { store } = await openStore(url, Date.now);
  await record(store, [transaction('acct-1', 'a'), transaction('acct-1', 'b')]);
  await store.close();
  await assert.rejects(
    queryPostgres(url, 'CREATE UNIQUE INDEX CONCURRENTLY by_amount ON transactions (amount_minor)'),
  );
  const isValid = () =>
    queryPostgres(url, `SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_amount'::regclass`);
  assert.deepEqual(await isValid(), [{ indisvalid: false }]);
  const sql =
    '-- concurrently\nCREATE INDEX CONCURRENTLY IF NOT EXISTS by_amount ON transactions (amount_minor)';
  await migrateFurther(url, sql);
  assert.deepEqual(await isValid(), [{ indisvalid: true }]);
});

test('a database whose transactions are serializable by default is migrated, and sessions read what was committed before each statement', async () => {
  const url = await makePostgresDatabase();
  const name = new URL(url).pathname.slice(1);
  await queryPostgres(url, `ALTER DATABASE "${name}" SET default_transaction_isolation = 'serializable'`);
  const { store, migrated } = await openStore(url, Date.now);
  assert.equal(migrated.length, MIGRATIONS.length);
  await store.close();
  const { client } = await connectToPrimary(parsePostgresUrl(url), sessionLimits(GIVE_UP_MS));
  const { rows } = await client.query('SHOW transaction_isolation');
  await client.end();
  assert.deepEqual(rows, [{ transaction_isolation: 'read committed' }]);
});

test('a migration whose lock was lost while it ran is not recorded as applied', async () => {
  const url = await makeMigratedDatabase();
  const sql =
    '-- concurrently\nSELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';
  await assert.rejects(migrateFurther(url, sql), { name: 'StoreRefused' });
  const [row] = await queryPostgres(url, 'SELECT max(version) AS applied FROM schema_migrations');
  assert.equal(row?.['applied'], MIGRATIONS.length);
});

test('a failing migration is undone', async () => {
  const url = await makePostgresDatabase();
  const applied = MIGRATIONS.length;
  await assert.rejects(migrateFurther(url, 'CREATE TABLE half (id integer); SELECT 1 / 0'), {
    name: 'StoreRefused',
    message: new RegExp(
      `its migration ${applied + 1} made-up failed: .*division by zero.*Migrations up to ${applied} are applied, and stay\\. Remove the cause, then run "transactions migrate" again`,
    ),
  });
  assert.deepEqual(await queryPostgres(url, `SELECT to_regclass('half') AS half`), [{ half: null }]);
  await (await openStore(url, Date.now)).store.close();
});

test('a server that is too old is refused', () => {
  assert.throws(() => refuseOldServer(140_012), {
    name: 'StoreRefused',
    message: /PostgreSQL 14, and 15 or later/,
  });
  refuseOldServer(150_000);
});

test('an unreachable database is reported in a sentence, without the password', async () => {
  const { port } = new URL(await postgresUrl());
  const user = `postgres:${WORD}`;
  assert.match(await refusal(`postgres://${user}@127.0.0.1:1/payments`), /nothing listens there/);
  const noSocket = await refusal(`postgres://${user}@localhost/payments?host=/nonexistent`);
  assert.match(noSocket, /Unix socket cannot be opened: .*\/nonexistent\/.*Start the server/);
  assert.match(await refusal(`postgres://${user}@nowhere.invalid/payments`), /host name is not known/);
  assert.match(await refusal(`postgres://${user}@127.0.0.1:${port}/missing`), /no such database/);
  const role = `nobody_here:${WORD}`;
  assert.match(await refusal(`postgres://${role}@127.0.0.1:${port}/postgres`), /refuses the user/);
});

test('a server that accepts connections and never answers is reported in a sentence, in time', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  assert.match(
    await refusal(`postgres://postgres:${WORD}@127.0.0.1:${port}/payments`, 300),
    /does not answer in time/,
  );
  for (const socket of sockets) socket.destroy();
  server.close();
});

test('a malformed address is reported without its password, and a masked one never contains it', () => {
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
