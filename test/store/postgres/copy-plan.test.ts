import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type pg from 'pg';
import {
  LIST_SETTINGS,
  optionsOf,
  RECORDING_SETTINGS,
} from '../../../src/db/postgres/driver/plan-settings.ts';
import { arrayText } from '../../../src/db/postgres/driver/statement.ts';
import { NO_OPTIONAL_FIELDS } from '../../../src/ledger/transaction.ts';
import type { ChangeChunk } from '../../../src/operate/copy/copy-target.ts';
import { READ_CHANGES } from '../../../src/operate/copy/postgres/copy-sql.ts';
import { changeStatements } from '../../../src/operate/copy/postgres/write-sql.ts';
import type { StoredRow } from '../../../src/operate/stored-rows.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { ADD_TOTALS, explainPrepared, nodesOf, type Plan } from '../../rig/database/list-plans.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS, withPostgresClient } from '../../rig/database/postgres.ts';

const ROWS = 20_000;
/** From its root to the first entry of a range, the index has this many pages. */
const DEPTH = 3;

/**
 * Pending, completed, and first pending, then completed transactions, of a large account and of many small
 * ones. No account uses a number twice.
 */
const INSERT_ROWS = `INSERT INTO transactions (account, created_at_ms, reference, status, amount_minor, currency_code, paid_at_ms,
    pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT account, n, account || n, CASE WHEN n % 4 = 0 THEN 'pending' ELSE 'completed' END, n, 'EUR', CASE WHEN n % 4 <> 0 THEN n END,
    CASE WHEN n % 2 = 0 THEN n * 2 END, CASE WHEN n % 2 = 0 THEN n END, CASE WHEN n % 2 = 0 THEN n END,
    CASE WHEN n % 4 <> 0 THEN n * 2 + 1 END, CASE WHEN n % 4 <> 0 THEN n END, CASE WHEN n % 4 <> 0 THEN n END
  FROM (SELECT 'large', ${ROWS} UNION ALL SELECT 'small' || i, 5 FROM generate_series(1, 1000) AS i) AS accounts (account, count)
  CROSS JOIN LATERAL generate_series(1, count) AS n;
INSERT INTO accounts SELECT 'large', ${2 * ROWS + 1} UNION ALL SELECT 'small' || i, 11 FROM generate_series(1, 1000) AS i`;

const RANGES = [
  { account: 'large', after: 0, upTo: 500 },
  { account: 'large', after: ROWS, upTo: ROWS + 1000 },
  { account: 'large', after: 2 * ROWS - 5, upTo: 2 * ROWS + 1 },
  { account: 'small7', after: 0, upTo: 11 },
  { account: 'small8', after: 11, upTo: 11 },
  { account: 'none', after: 0, upTo: 100 },
];

const rowAt = (reference: string, sequence: number, fields: Partial<StoredRow> = {}): StoredRow => ({
  ...{ reference, createdAtMs: sequence, merchantReference: null, status: 'completed', amountMinor: 1 },
  ...{
    currencyCode: 'EUR',
    ...NO_OPTIONAL_FIELDS,
    paidAtMs: 1,
    pendingSequence: null,
    pendingRecordedAtMs: null,
    pendingNonce: null,
  },
  ...{ finalSequence: sequence, finalRecordedAtMs: 1, finalNonce: 1, ...fields },
});

/** New transactions of two accounts, and the final status of a third account's pending transaction. */
const PARTS: ChangeChunk[] = [
  {
    account: 'new1',
    after: 0,
    upTo: 200,
    afterNonce: undefined,
    rows: Array.from({ length: 200 }, (_, at) => rowAt(`n${at}`, at + 1)),
  },
  {
    ...{ account: 'large', after: 2 * ROWS + 1, upTo: 2 * ROWS + 2, afterNonce: undefined },
    rows: [rowAt('n', 2 * ROWS + 2)],
  },
  {
    ...{ account: 'small9', after: 11, upTo: 12, afterNonce: 5 },
    rows: [
      rowAt('small94', 12, {
        createdAtMs: 4,
        amountMinor: 4,
        pendingSequence: 8,
        pendingRecordedAtMs: 4,
        pendingNonce: 4,
      }),
    ],
  },
];

const buffersOf = (plan: Plan) => Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`copying on ${version}`, { skip }, () => {
    let url: string;
    before(async () => {
      url = await makePostgresDatabase(await serverUrl());
      await (await openStore(url, () => 0)).store.close();
    });

    const checkReads = async (client: pg.Client) => {
      const arrays = (['account', 'after', 'upTo'] as const).map((field) =>
        arrayText(RANGES.map((range) => range[field])),
      );
      const plan = await explainPrepared(client, 'read', arrays);
      const shown = () => JSON.stringify(plan, null, 1);
      const nodes = nodesOf(plan);
      assert.ok(
        !nodes.some((node) => /Sort|Seq Scan|Bitmap|Hash|Merge/.test(String(node['Node Type']))),
        shown(),
      );
      const scans = nodes.filter((node) => 'Index Name' in node);
      assert.deepEqual(
        scans.map((scan) => scan['Index Name']).sort(),
        ['transactions_by_final_sequence', 'transactions_by_pending_sequence'],
        shown(),
      );
      for (const scan of scans)
        assert.match(String(scan['Index Cond']), /account = .*sequence > .*sequence <= /, shown());
      // The ranges have one index entry for each change. A row with two changes is read twice and returned
      // once.
      const changes = 250 + 250 + 500 + 500 + 4 + 11;
      assert.ok(buffersOf(plan) <= changes + RANGES.length * 2 * (DEPTH + 1), shown());
      return Number(plan['Actual Rows']);
    };

    const checkWrites = async (client: pg.Client) => {
      const statements = changeStatements(PARTS);
      assert.equal(statements.length, 6);
      await client.query('BEGIN');
      for (const [at, { text, values }] of statements.entries()) {
        await client.query(`PREPARE write${at} AS ${text}`);
        const plan = await explainPrepared(client, `write${at}`, values as string[]);
        const shown = () => JSON.stringify(plan, null, 1);
        for (const node of nodesOf(plan)) {
          assert.ok(!/Seq Scan|Bitmap|Hash|Merge/.test(String(node['Node Type'])), shown());
          if (!('Index Name' in node)) continue;
          assert.match(
            String(node['Index Name']),
            /^(accounts|transactions|daily_totals)_pkey$|^transactions_by_(pending|final)_sequence$/,
            shown(),
          );
          assert.ok('Index Cond' in node, shown());
        }
        // The copy looks each row up once, and writes it to the table and its indexes.
        assert.ok(buffersOf(plan) <= 200 * 40 + 40, shown());
      }
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE ALL');
    };

    test('reads and writes look up what they need in one index each, whether or not statistics are gathered', async () => {
      await withPostgresClient(url, optionsOf(RECORDING_SETTINGS), async (writer) => {
        await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (reader) => {
          await reader.query(`PREPARE read AS ${READ_CHANGES}`);
          assert.equal(await checkReads(reader), 0);
          await reader.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
          await reader.query(`${INSERT_ROWS}; ${ADD_TOTALS}`);
          assert.ok((await checkReads(reader)) > 0);
          await checkWrites(writer);
          await reader.query('VACUUM ANALYZE transactions, accounts');
          await checkReads(reader);
          await checkWrites(writer);
        });
        await withPostgresClient(url, optionsOf(LIST_SETTINGS), async (reader) => {
          await reader.query(`PREPARE read AS ${READ_CHANGES}`);
          assert.ok((await checkReads(reader)) > 0);
        });
      });
    });
  });
}
