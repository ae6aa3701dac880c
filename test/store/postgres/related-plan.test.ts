import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type pg from 'pg';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { TOPOLOGIES } from '../../../src/db/postgres/topology.ts';
import { NEWEST } from '../../../src/ledger/list/list-query.ts';
import { relatedSql } from '../../../src/ledger/list/postgres/list-related.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { explainPrepared, nodesOf } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';

const LIMIT = 11;
/** The way to the first entry of a range: pages of the index. */
const DEPTH = 3;

/** A quarter of the transactions are refunds, 200 of each of 25 payments of the large account, and 25 in all of the small one. */
const INSERT_ROWS = `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, paid_at_ms,
    related_to, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT account, n, account || n, 'completed', n, 'EUR', n, CASE WHEN n % 4 = 0 THEN 'pay' || n % 100 END, n, n, n
  FROM (VALUES ('large', 20000), ('small', 100)) AS accounts (account, count) CROSS JOIN LATERAL generate_series(1, count) AS n`;

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS)
  describe(`related transactions on ${version}`, { skip }, () => {
    for (const topology of TOPOLOGIES)
      test(`a page reads at most its limit of its index, also with a plan of an empty table (${topology})`, async () => {
        const url = await makePostgresDatabase(await serverUrl());
        await (await openStore(url, () => 0)).store.close();
        const check = async (client: pg.Client) => {
          for (const account of ['large', 'small', 'none'])
            for (const payment of ['pay0', 'pay44', 'pay5', 'a', 'z'])
              for (const createdAtMs of [NEWEST.createdAtMs, 10_000, 0]) {
                const values = [account, payment, createdAtMs, NEWEST.reference, LIMIT];
                const plan = await explainPrepared(client, 'related', values);
                const shown = () => JSON.stringify({ values, plan }, null, 1);
                const nodes = nodesOf(plan);
                assert.ok(
                  !nodes.some((node) => /Sort|Seq Scan|Bitmap/.test(String(node['Node Type']))),
                  shown(),
                );
                const [scan, ...others] = nodes.filter((node) => 'Index Name' in node);
                assert.deepEqual(
                  [scan?.['Index Name'], scan?.['Filter'], others],
                  ['transactions_by_related_to_time', undefined, []],
                  shown(),
                );
                assert.ok(Number(scan?.['Actual Rows']) <= LIMIT, shown());
                const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
                assert.ok(buffers <= LIMIT + DEPTH + 1, shown());
              }
        };
        await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (first) => {
          await first.query(`PREPARE related AS ${relatedSql(topology)}`);
          await check(first);
          await first.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
          await first.query(INSERT_ROWS);
          await check(first);
          await first.query('VACUUM ANALYZE transactions');
          await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (second) => {
            await second.query(`PREPARE related AS ${relatedSql(topology)}`);
            await check(second);
          });
        });
      });
  });
