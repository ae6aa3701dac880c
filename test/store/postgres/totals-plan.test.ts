import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type pg from 'pg';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { TOPOLOGIES, type Topology } from '../../../src/db/postgres/topology.ts';
import { sumListedSql } from '../../../src/ledger/totals/postgres/sum-listed.ts';
import { storedTotalsSql } from '../../../src/ledger/totals/postgres/totals.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { explainPrepared, readOf } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';

const ROWS = 20_000;
const DAYS = 800;
/** Of a merchantReference, summed at once. */
const LISTED_ROWS = 300;

/** Numbered transactions of a large account and a small one: pending, completed, and later completed; some have merchantReferences. */
const INSERT_ROWS = `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms,
    pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT account, n, account || n, CASE WHEN n % 100 = 0 THEN 'order-1' WHEN n % 3 = 0 THEN 'order-2' END,
    CASE WHEN n % 4 = 0 THEN 'pending' ELSE 'completed' END, n, 'EUR', CASE WHEN n % 4 <> 0 THEN n END,
    CASE WHEN n % 2 = 0 THEN n * 2 END, CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n % 2 = 0 THEN n END,
    CASE WHEN n % 4 <> 0 THEN n * 2 + 1 END, CASE WHEN n % 4 <> 0 THEN n END, CASE WHEN n % 4 <> 0 THEN n END
  FROM (VALUES ('large', ${ROWS}), ('small', 50)) AS accounts (account, count) CROSS JOIN LATERAL generate_series(1, count) AS n;
INSERT INTO accounts VALUES ('large', ${2 * ROWS + 1}), ('small', 101);
INSERT INTO daily_totals (account, day, currency_code, status, count, amount)
  SELECT account, day, currency, status, 1, 1 FROM unnest(ARRAY['large', 'other', 'small']) AS account, generate_series(1, ${DAYS}) AS day,
    unnest(ARRAY['EUR', 'JPY', 'USD']) AS currency, unnest(ARRAY['completed', 'pending']) AS status`;

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`totals on ${version}`, { skip }, () => {
    const prepare = async (client: pg.Client, topology: Topology) => {
      await client.query(`PREPARE sum_listed AS ${sumListedSql(topology, 'merchantReference')}`);
      await client.query(`PREPARE sum_range AS ${sumListedSql(topology, null)}`);
      for (const byDay of [false, true])
        await client.query(`PREPARE stored_totals_${byDay} AS ${storedTotalsSql(topology, { byDay })}`);
    };

    const read = async (...statement: Parameters<typeof explainPrepared>) =>
      readOf(await explainPrepared(...statement));

    const checkStoredTotals = async (client: pg.Client) => {
      for (const byDay of [false, true]) {
        for (const [from, to, expected] of [
          [1, DAYS, DAYS * 6],
          [-(2 ** 31), 2 ** 31 - 1, DAYS * 6],
          [10, 30, 21 * 6],
          [DAYS + 1, DAYS + 9, 0],
        ] as const) {
          for (const [status, currency] of [
            ['', ''],
            ['pending', 'JPY'],
          ] as const) {
            const values = ['large', status, currency, from, to];
            const { indexes, rows } = await read(client, `stored_totals_${byDay}`, values);
            assert.deepEqual(indexes, [
              'accounts_pkey',
              'archives_pkey',
              'daily_totals_pkey',
              // Of the last change.
              'transactions_by_final_sequence',
              'transactions_by_pending_sequence',
            ]);
            assert.ok(rows <= expected + 2, `${rows} rows of ${expected}`);
          }
        }
      }
    };

    const checkListed = async (client: pg.Client) => {
      for (const [merchantReference, beforeMs, mostRows] of [
        ['order-1', ROWS * 2, ROWS / 100],
        ['order-2', ROWS * 2, LISTED_ROWS],
        ['order-2', ROWS / 2, LISTED_ROWS],
        ['order-3', ROWS * 2, 0],
      ] as const) {
        const values = ['large', ROWS, 0, beforeMs, '', LISTED_ROWS, 0, ROWS, '', '', merchantReference];
        const { indexes, rows } = await read(client, 'sum_listed', values);
        // The rows that are summed, and the position of the last one.
        const index = 'transactions_by_merchant_reference_time';
        assert.deepEqual(indexes, [index, index]);
        assert.ok(rows <= 2 * mostRows, `${rows} rows of ${mostRows}`);
      }
      for (const [fromMs, beforeMs] of [
        [0, ROWS * 2],
        [ROWS / 2, ROWS / 2 + 10],
      ] as const) {
        const values = ['large', ROWS, fromMs, beforeMs, '', LISTED_ROWS, 0, ROWS, '', ''];
        const { indexes, rows } = await read(client, 'sum_range', values);
        assert.deepEqual(indexes, ['transactions_by_time', 'transactions_by_time']);
        const mostRows = Math.min(LISTED_ROWS, beforeMs - fromMs);
        assert.ok(rows <= 2 * mostRows, `${rows} rows of ${mostRows}`);
      }
    };

    for (const topology of TOPOLOGIES) {
      test(`read the ranges of their indexes, whether or not statistics are gathered, also with a plan of an empty table (${topology})`, async () => {
        const url = await makePostgresDatabase(await serverUrl());
        await (await openStore(url, () => 0)).store.close();
        const options = optionsOf(LIST_SETTINGS);
        await withPostgresClient(url, options, async (first) => {
          await prepare(first, topology);
          await first.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
          await first.query('ALTER TABLE daily_totals SET (autovacuum_enabled = off)');
          await read(first, 'sum_listed', ['large', 10, 0, 10, '', LISTED_ROWS, 0, ROWS, '', '', 'order-1']);
          await read(first, 'stored_totals_true', ['large', '', '', 1, 9]);
          await read(first, 'stored_totals_false', ['large', '', '', 1, 9]);
          await first.query(INSERT_ROWS);
          const checkAll = async (client: pg.Client) => {
            await checkStoredTotals(client);
            await checkListed(client);
          };
          await checkAll(first);
          await withPostgresClient(url, options, async (second) => {
            await prepare(second, topology);
            await checkAll(second);
          });
          await first.query('VACUUM ANALYZE');
          await checkAll(first);
        });
      });
    }
  });
}
