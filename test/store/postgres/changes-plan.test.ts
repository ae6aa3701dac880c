import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import pg from 'pg';
import {
  LIST_SETTINGS,
  optionsOf,
  RECORDING_SETTINGS,
} from '../../../src/db/postgres/driver/plan-settings.ts';
import { arrayText } from '../../../src/db/postgres/driver/statement.ts';
import { TOPOLOGIES } from '../../../src/db/postgres/topology.ts';
import { changesSql } from '../../../src/ledger/changes/postgres/list-changes.ts';
import { LOCK_HEADS, RECORD } from '../../../src/ledger/record/postgres/record-statements.ts';
import { NO_OPTIONAL_FIELDS } from '../../../src/ledger/transaction.ts';
import { recordedValues } from '../../../src/ledger/transaction-columns.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { SAMPLE } from '../../rig/data/transactions.ts';
import { ADD_TOTALS, explainPrepared, nodesOf } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';

const ROWS = 20_000;
const LIMIT = 100;
/** The way to the first entry of a range: pages of the index. */
const DEPTH = 3;

/** Pending, completed and later completed transactions of a large account and a small one, numbered as recordings do. */
const INSERT_ROWS = `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, paid_at_ms,
    pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT account, n, account || n, CASE WHEN n % 4 = 0 THEN 'pending' ELSE 'completed' END, n, 'EUR', CASE WHEN n % 4 <> 0 THEN n END,
    CASE WHEN n % 2 = 0 THEN n * 2 END, CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n % 2 = 0 THEN n END,
    CASE WHEN n % 4 <> 0 THEN n * 2 + 1 END, CASE WHEN n % 4 <> 0 THEN n END, CASE WHEN n % 4 <> 0 THEN n END
  FROM (VALUES ('large', ${ROWS}), ('small', 50)) AS accounts (account, count) CROSS JOIN LATERAL generate_series(1, count) AS n;
INSERT INTO accounts VALUES ('large', ${2 * ROWS + 1}), ('small', 101)`;

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`changes on ${version}`, { skip }, () => {
    let url: string;
    before(async () => {
      url = await makePostgresDatabase(await serverUrl());
      await (await openStore(url, () => 0)).store.close();
    });

    const checkRecording = async (client: pg.Client, references: readonly string[]) => {
      const columns = [
        references.map(() => 'large'),
        references,
        references.map(() => null),
        references.map(() => 'completed'),
        references.map((_, index) => index),
        references.map(() => 'EUR'),
        references.map(() => 1),
        references.map((_, index) => index),
        ...Object.keys(NO_OPTIONAL_FIELDS).map(() => references.map(() => null)),
      ].map(arrayText);
      await client.query('BEGIN');
      const lock = await explainPrepared(client, 'lock', [arrayText(['large']), 50]);
      const recording = await explainPrepared(client, 'record', [...columns, 50, 0, 1]);
      await client.query('ROLLBACK');
      for (const node of [...nodesOf(lock), ...nodesOf(recording)]) {
        const shown = () => JSON.stringify(node, null, 1);
        assert.ok(!/Seq Scan|Bitmap|Hash|Merge/.test(String(node['Node Type'])), shown());
        if ('Index Name' in node)
          assert.match(
            String(node['Index Name']),
            /^(accounts|archives|transactions|watched_accounts)_pkey$/,
            shown(),
          );
      }
      // Each row is looked up once, and written to the table and its indexes.
      const buffers = Number(recording['Shared Hit Blocks']) + Number(recording['Shared Read Blocks']);
      assert.ok(buffers <= references.length * 40 + 40, JSON.stringify(recording, null, 1));
    };

    test('recordings look rows up by their primary keys, whether or not statistics are gathered, also with a plan of an empty table', async () => {
      const references = (name: string) => Array.from({ length: 100 }, (_, index) => `${name}${index}`);
      const prepare = async (client: pg.Client) => {
        await client.query(`PREPARE lock AS ${LOCK_HEADS.text}`);
        await client.query(`PREPARE record AS ${RECORD.text}`);
      };
      await withPostgresClient(url, optionsOf(RECORDING_SETTINGS), async (first) => {
        await prepare(first);
        await checkRecording(first, references('empty'));
        await first.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
        await first.query(`${INSERT_ROWS}; ${ADD_TOTALS}`);
        await checkRecording(first, references('new'));
        await checkRecording(first, references('large'));
        await first.query('VACUUM ANALYZE transactions');
        await withPostgresClient(url, optionsOf(RECORDING_SETTINGS), async (second) => {
          await prepare(second);
          await checkRecording(second, references('new'));
          await checkRecording(second, references('large'));
        });
      });
    });

    test('recordings look heads up, also with a plan that was made for one account', async () => {
      const one = await makePostgresDatabase(await serverUrl());
      await (await openStore(one, () => 0)).store.close();
      const client = new pg.Client({ connectionString: one, options: optionsOf(RECORDING_SETTINGS) });
      await client.connect();
      try {
        await client.query("INSERT INTO accounts VALUES ('one', 0)");
        await client.query('VACUUM ANALYZE accounts');
        await client.query(`PREPARE lock AS ${LOCK_HEADS.text}`);
        await client.query(`PREPARE record AS ${RECORD.text}`);
        const row = recordedValues({ ...SAMPLE, account: 'one', status: 'completed' }).map((value) =>
          arrayText([value]),
        );
        const plans = [
          await explainPrepared(client, 'lock', [arrayText(['one']), 50]),
          await explainPrepared(client, 'record', [...row, 50, 0, 1]),
        ];
        const lookups = plans.flatMap(nodesOf).filter((node) => node['Index Name'] === 'accounts_pkey');
        assert.equal(lookups.length, 3);
        for (const lookup of lookups) assert.ok('Index Cond' in lookup, JSON.stringify(plans, null, 1));
      } finally {
        await client.end();
      }
    });

    for (const topology of TOPOLOGIES) {
      test(`a page reads at most its limit of each index, without a sort (${topology})`, async () => {
        await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (client) => {
          await client.query(`PREPARE changes AS ${changesSql(topology)}`);
          for (const [account, last] of [
            ['large', 2 * ROWS + 1],
            ['small', 101],
            ['none', 0],
          ] as const) {
            for (const after of [0, Math.floor(last / 2), last - 10, last, last + 10]) {
              const plan = await explainPrepared(client, 'changes', [account, Math.max(0, after), LIMIT]);
              const shown = () => JSON.stringify({ account, after, plan }, null, 1);
              const nodes = nodesOf(plan);
              assert.ok(
                !nodes.some((node) => /Sort|Seq Scan|Bitmap/.test(String(node['Node Type']))),
                shown(),
              );
              const scans = nodes.filter((node) => 'Index Name' in node);
              assert.deepEqual(
                scans.map((scan) => scan['Index Name']).sort(),
                [
                  'accounts_pkey',
                  'archives_pkey',
                  'transactions_by_final_sequence',
                  'transactions_by_pending_sequence',
                ],
                shown(),
              );
              for (const scan of scans) {
                assert.equal(scan['Filter'], undefined, shown());
                assert.ok(Number(scan['Actual Rows']) <= LIMIT, shown());
                assert.equal(scan['Actual Loops'], 1, shown());
              }
              const read = scans.reduce((sum, scan) => sum + Number(scan['Actual Rows']), 0);
              const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
              assert.ok(buffers <= read + 4 * (DEPTH + 1), shown());
            }
          }
        });
      });
    }
  });
}
