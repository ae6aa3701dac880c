import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { before, describe, test } from 'node:test';
import { makePostgresDatabase, makePostgresRole, queryPostgres } from '../rig/database/postgres.ts';
import { someInTier } from '../rig/run/tier.ts';
import { run } from '../rig/service/process.ts';
import { CORRUPTIONS } from './corruptions.ts';
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
  const linesOf = async (url: string) =>
    (await verifyDatabase(url)).lines.map((line) => line.replace(/key_\w{16}/, 'KEY'));
  const linesAfter = async (...statements: string[]) => {
    const url = await copyOfHealthy();
    for (const sql of statements) await queryPostgres(url, sql);
    return linesOf(url);
  };

  test('nothing in a copy of a healthy database', async () => {
    assert.deepEqual(await linesAfter(), []);
  });

  for (const { name, sql, reported } of someInTier(CORRUPTIONS, 10))
    test(name, async () => {
      const url = await copyOfHealthy();
      await withoutConstraints(url, sql);
      assert.deepEqual(await linesOf(url), [...reported].sort());
    });

  const NO_CHANGE = [
    'store-1, daily total of 2026-04-10 EUR completed: 9.99 in 1 transaction',
    'store-1, sequence number 5: no change',
  ];
  for (const [index, table, rows, follows] of [
    ['transactions_pkey', 'transactions', D, []],
    ['transactions_by_time', 'transactions', D, NO_CHANGE],
    ['transactions_by_status', 'transactions', D, []],
    ['transactions_by_status_currency', 'transactions', D, []],
    ['transactions_by_final_sequence', 'transactions', D, []],
    ['api_keys_by_hash', 'api_keys', 'true', []],
    ['webhook_endpoints_enabled', 'webhook_endpoints', 'true', []],
    ['exports_by_start', 'exports', 'true', []],
  ] as const)
    test(`rows without entries in ${index}`, async () => {
      // An index that is not ready gets no entries.
      const ready = (isReady: boolean) =>
        `UPDATE pg_index SET indisready = ${isReady} WHERE indexrelid = '${index}'::regclass`;
      const [line = '', ...others] = await linesAfter(
        `CREATE TEMP TABLE saved AS SELECT * FROM ${table} WHERE ${rows}; DELETE FROM ${table} WHERE ${rows}; ${ready(false)};
         INSERT INTO ${table} SELECT * FROM saved; ${ready(true)}`,
      );
      assert.match(
        line,
        new RegExp(`^index ${index}: heap tuple .* from table "${table}" lacks matching index tuple`),
      );
      assert.deepEqual(others, follows);
    });

  test('nothing in its indexes where the role may not use amcheck, and says so', async () => {
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

  test('all indexes through amcheck, which is not left in the database', async () => {
    const url = await copyOfHealthy();
    const { verified, indexesNotChecked } = await verifyDatabase(url);
    assert.equal(indexesNotChecked, null);
    assert.ok(verified.indexes > 25, String(verified.indexes));
    assert.deepEqual(await queryPostgres(url, "SELECT 1 FROM pg_extension WHERE extname = 'amcheck'"), []);
  });

  test('a number that two transactions have, where its unique index is missing', async () => {
    assert.deepEqual(
      await linesAfter(
        'DROP INDEX transactions_by_final_sequence',
        `UPDATE transactions SET final_sequence = 6, final_recorded_at_ms = 1, final_nonce = 1 WHERE ${D}`,
      ),
      [
        'index transactions_by_final_sequence: no such index',
        'store-1, sequence number 5: no change',
        'store-1, transaction store-1.d: the sequence number 6, which another transaction has too',
      ],
    );
  });

  test('an invalid index, and a missing one of small tables', async () => {
    assert.deepEqual(
      await linesAfter(
        `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'transactions_by_status'::regclass`,
        'DROP INDEX api_keys_by_hash',
      ),
      ['index api_keys_by_hash: no such index', 'index transactions_by_status: an invalid index'],
    );
  });

  test('an index with other columns, another condition, or that is not unique', async () => {
    assert.deepEqual(
      await linesAfter(
        'DROP INDEX api_keys_by_hash; CREATE INDEX api_keys_by_hash ON api_keys (hash)',
        'DROP INDEX exports_by_start; CREATE INDEX exports_by_start ON exports (record)',
        'DROP INDEX api_keys_by_end; CREATE INDEX api_keys_by_end ON api_keys (end_recorded_at_ms)',
      ),
      [
        'index api_keys_by_end: an index of api_keys (end_recorded_at_ms)',
        'index api_keys_by_hash: an index of api_keys (hash)',
        'index exports_by_start: an index of exports (record)',
      ],
    );
  });

  test('a missing constraint, one that is not validated, and a column that need not have a value', async () => {
    assert.deepEqual(
      await linesAfter(
        'ALTER TABLE transactions DROP CONSTRAINT sequences_have_times',
        'ALTER TABLE transactions DROP CONSTRAINT completed_is_paid',
        `ALTER TABLE transactions ADD CONSTRAINT completed_is_paid CHECK (status <> 'completed' OR paid_at_ms IS NOT NULL) NOT VALID`,
        'ALTER TABLE transactions ALTER status DROP NOT NULL',
      ),
      [
        'column transactions.status: text',
        'constraint completed_is_paid of transactions: a constraint that is not validated',
        'constraint sequences_have_times of transactions: no such constraint',
      ],
    );
  });

  test('a missing policy, and row-level security that is off', async () => {
    assert.deepEqual(
      await linesAfter(
        'DROP POLICY one_account ON transactions',
        'ALTER TABLE daily_totals DISABLE ROW LEVEL SECURITY',
      ),
      ['policy one_account of transactions: no such policy', 'table daily_totals: no row-level security'],
    );
  });

  test('missing tables and columns, and goes on with the others', async () => {
    assert.deepEqual(
      await linesAfter(
        'DROP TABLE daily_totals; DROP TABLE idempotency_keys; ALTER TABLE exports DROP COLUMN record',
        `UPDATE accounts SET head_sequence = 8 WHERE account = 'store-1'`,
      ),
      [
        'column exports.record: no such column',
        'index daily_totals_pkey: no such index',
        'index idempotency_keys_pkey: no such index',
        'store-1, sequence number 8: no change',
        'table daily_totals: no such table',
        'table idempotency_keys: no such table',
      ],
    );
  });

  test('no index in whose order transactions could be read, and reads none of them', async () => {
    const url = await copyOfHealthy();
    await queryPostgres(url, 'DROP INDEX transactions_by_time');
    const { lines, verified } = await verifyDatabase(url);
    assert.deepEqual(lines, ['index transactions_by_time: no such index']);
    assert.equal(verified.transactions, 0);
  });

  test('a role that row-level security hides rows from, and refuses it', async () => {
    const url = await copyOfHealthy();
    const { role, url: asRole } = await makePostgresRole(url);
    await queryPostgres(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    await assert.rejects(verifyDatabase(asRole), /row-level security hides rows from this user\. Verify as/);
  });
});
