import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { NO_FILTER } from '../../../src/ledger/list/list.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { transaction } from '../../rig/data/transactions.ts';
import { PGBOUNCER, startPgbouncer } from '../../rig/database/pgbouncer.ts';
import { makePostgresDatabase, oldestPostgresUrl, queryPostgres } from '../../rig/database/postgres.ts';
import { oldestIsMissing } from '../../rig/database/postgres-versions.ts';

const LIMIT = 11;
const MAX_BUFFERS = LIMIT + 4;
const ROWS = 4000;

/** A database whose statistics are older than half of its rows. Those rows share one merchantReference. */
async function makeMisleadingDatabase(): Promise<string> {
  const url = await makePostgresDatabase(await oldestPostgresUrl());
  await (await openStore(url, () => 0)).store.close();
  const insert = (first: number, last: number, merchantReference: string) => `
    INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, final_sequence, final_recorded_at_ms, final_nonce)
    SELECT 'acct-1', n, 'acct-1.' || n, ${merchantReference}, 'completed', n, CASE WHEN n % 2 = 0 THEN 'EUR' ELSE 'USD' END, n, n, n, n
    FROM generate_series(${first}, ${last}) AS n`;
  await queryPostgres(url, 'CREATE EXTENSION pg_stat_statements');
  // Without this row, the store would create the account's head row and send the first recording again.
  await queryPostgres(url, "INSERT INTO accounts VALUES ('acct-2', 0)");
  await queryPostgres(url, 'ALTER TABLE transactions SET (autovacuum_enabled = off)');
  await queryPostgres(url, insert(1, ROWS, `'order-' || n`));
  await queryPostgres(url, 'VACUUM ANALYZE transactions');
  await queryPostgres(url, insert(ROWS + 1, 2 * ROWS, `'order-2500'`));
  return url;
}

interface Use {
  calls: number;
  buffers: number;
  compiled: number;
}

/** The resources that statements with a text in them have used since the last reset of the statistics. */
async function useOf(url: string, text: string): Promise<Use> {
  const [row] = await queryPostgres(
    url,
    `SELECT coalesce(sum(calls), 0)::int AS calls, coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int AS buffers,
       coalesce(sum(jit_functions), 0)::int AS compiled
     FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
     WHERE datname = current_database() AND position($1 IN query) > 0 AND query NOT LIKE '%pg_stat_statements%'`,
    [text],
  );
  return row as unknown as Use;
}

const RESET = `SELECT pg_stat_statements_reset(0, oid, 0) FROM pg_database WHERE datname = current_database()`;

const LIST = 'AS caller';
const RECORDING = 'INSERT INTO transactions';

/** Records and lists often enough that a connection caches the plans. */
async function use(store: Store): Promise<void> {
  const filter = { ...NO_FILTER, merchantReference: 'order-2500', currency: 'EUR' };
  for (let round = 0; round < 6; round++) {
    await store.record([transaction('acct-2', `r${round}`), transaction('acct-2', `s${round}`)]);
    const { transactions } = await store.listTransactions({ account: 'acct-1', filter, after: null }, LIMIT);
    assert.equal(transactions.length, LIMIT);
  }
}

async function checkUse(url: string): Promise<void> {
  const recorded = await useOf(url, RECORDING);
  assert.equal(recorded.calls, 6);
  assert.equal(recorded.compiled, 0, 'recordings were compiled');
  const listed = await useOf(url, LIST);
  assert.equal(listed.calls, 6);
  assert.equal(listed.compiled, 0, 'lists were compiled');
  assert.ok(listed.buffers <= 6 * MAX_BUFFERS, `a list read ${listed.buffers / 6} pages`);
}

describe('on the oldest PostgreSQL, with misleading statistics and JIT', {
  skip: oldestIsMissing,
}, () => {
  let url: string;
  before(async () => {
    url = await makeMisleadingDatabase();
  });
  beforeEach(async () => {
    await queryPostgres(url, RESET);
  });

  for (const [what, settings] of [
    ['refuses the options of a session', {}],
    ['ignores the options of a session', { ignore_startup_parameters: 'options' }],
  ] as const) {
    test(`the same through a pgbouncer that ${what}`, {
      skip: PGBOUNCER === undefined && 'pgbouncer is not installed; Debian has it as the package pgbouncer',
    }, async () => {
      const pgbouncer = await startPgbouncer(await oldestPostgresUrl(), settings);
      try {
        const pooled = new URL(url);
        pooled.port = String(pgbouncer.port);
        const { store } = await openStore(pooled.href, Date.now);
        await use(store);
        await store.close();
        await checkUse(url);
      } finally {
        await pgbouncer.stop();
      }
    });
  }
});
