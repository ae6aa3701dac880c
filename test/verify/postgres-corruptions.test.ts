import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { before, describe, test } from 'node:test';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { someInTier } from '../rig/run/tier.ts';
import { run } from '../rig/service/process.ts';
import { corruptionsOf } from './corruptions.ts';
import { makeHealthy, verifyDatabase } from './healthy-database.ts';
import { withoutConstraints } from './without-constraints.ts';

const D = `account = 'store-1' AND reference = 'store-1.d'`;

describe('verify finds on PostgreSQL', () => {
  let healthy: string;
  before(async () => {
    healthy = await makePostgresDatabase();
    await makeHealthy(healthy);
  });

  const copyOfHealthy = () => makePostgresDatabase(undefined, new URL(healthy).pathname.slice(1));
  test('nothing in a healthy database, each object of which is compared with the migrations, and each index through amcheck, which is not left', async () => {
    const own = "relnamespace = 'public'::regnamespace AND relname NOT LIKE 'schema_migrations%'";
    const tables = `(SELECT oid FROM pg_class WHERE ${own} AND relkind = 'r')`;
    const [found] = await queryPostgres(
      healthy,
      `SELECT (SELECT count(*) FROM schema_migrations) + (SELECT count(*) FROM pg_class WHERE ${own} AND relkind IN ('r', 'i'))
         + (SELECT count(*) FROM pg_attribute WHERE attnum > 0 AND attrelid IN ${tables})
         + (SELECT count(*) FROM pg_constraint WHERE contype <> 'n' AND conrelid IN ${tables})
         + (SELECT count(*) FROM pg_policy WHERE polrelid IN ${tables}) AS objects`,
    );
    const { lines, verified, indexesNotChecked } = await verifyDatabase(healthy);
    assert.deepEqual([lines, verified.schemaObjects], [[], Number(found?.['objects'])]);
    assert.equal(indexesNotChecked, null);
    assert.ok(verified.indexes > 25, String(verified.indexes));
    assert.deepEqual(
      await queryPostgres(healthy, "SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"),
      [],
    );
  });

  for (const { name, sql, reported, breaksConstraints } of someInTier(corruptionsOf('PostgreSQL'), 10))
    test(name, async () => {
      const url = await copyOfHealthy();
      for (const one of sql) await (breaksConstraints ? withoutConstraints : queryPostgres)(url, one);
      assert.deepEqual((await verifyDatabase(url)).lines, reported);
    });

  const NO_CHANGE = [
    'store-1, daily total of 2026-04-10 EUR completed: 9.99 in 1 transaction',
    'store-1, sequence number 5: no change',
  ];
  for (const [index, table, rows, follows] of [
    ['transactions_pkey', 'transactions', D, []],
    ['transactions_by_time', 'transactions', D, NO_CHANGE],
    ['exports_by_start', 'exports', 'true', []],
  ] as const)
    test(`rows without entries in ${index}`, async () => {
      const ready = (isReady: boolean) =>
        `UPDATE pg_index SET indisready = ${isReady} WHERE indexrelid = '${index}'::regclass`;
      const url = await copyOfHealthy();
      await queryPostgres(
        url,
        `CREATE TEMP TABLE saved AS SELECT * FROM ${table} WHERE ${rows}; DELETE FROM ${table} WHERE ${rows}; ${ready(false)};
         INSERT INTO ${table} SELECT * FROM saved; ${ready(true)}`,
      );
      const [line = '', ...others] = (await verifyDatabase(url)).lines;
      assert.match(
        line,
        new RegExp(`^index ${index}: heap tuple .* from table "${table}" lacks matching index tuple`),
      );
      assert.deepEqual(others, follows);
    });

  test('nothing in its indexes if the role may not use amcheck, and says so', async () => {
    const url = await copyOfHealthy();
    const { role, url: asRole } = await makePostgresRole(url);
    await queryPostgres(
      url,
      `GRANT ALL ON SCHEMA public TO ${role}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}; ALTER ROLE ${role} BYPASSRLS`,
    );
    const { lines, verified, indexesNotChecked } = await verifyDatabase(asRole);
    assert.deepEqual([lines, verified.indexes], [[], 0]);
    assert.match(indexesNotChecked ?? '', /^the extension amcheck can't be used: permission denied/);
    const statusOf = async (...args: string[]) =>
      (await run(['verify', ...args], { cwd: tmpdir(), env: { DATABASE_URL: asRole } })).status;
    assert.deepEqual([await statusOf(), await statusOf('--require-indexes')], [0, 1]);
    await queryPostgres(
      url,
      `CREATE EXTENSION amcheck; GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${role}`,
    );
    assert.equal((await verifyDatabase(asRole)).indexesNotChecked, null);
    assert.equal(await statusOf('--require-indexes'), 0);
    await queryPostgres(url, `REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${role}`);
  });

  test('that row-level security hides rows from a role, and refuses the role', async () => {
    const url = await copyOfHealthy();
    const { role, url: asRole } = await makePostgresRole(url);
    await queryPostgres(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    await assert.rejects(verifyDatabase(asRole), /row-level security hides rows from this user\. Verify as/);
  });
});
