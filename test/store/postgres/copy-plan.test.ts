import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type pg from 'pg';
import { LIST_SETTINGS, optionsOf } from '../../../src/db/postgres/driver/plan-settings.ts';
import { arrayText } from '../../../src/db/postgres/driver/statement.ts';
import { READ_CHANGES } from '../../../src/operate/copy/postgres/copy-sql.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { explainPrepared, nodesOf, type Plan } from '../../rig/database/list-plans.ts';
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
  CROSS JOIN LATERAL generate_series(1, count) AS n`;

const RANGES = [
  { account: 'large', after: 0, upTo: 500 },
  { account: 'large', after: ROWS, upTo: ROWS + 1000 },
  { account: 'large', after: 2 * ROWS - 5, upTo: 2 * ROWS + 1 },
  { account: 'small7', after: 0, upTo: 11 },
  { account: 'small8', after: 11, upTo: 11 },
  { account: 'none', after: 0, upTo: 100 },
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

    test('each part of a read uses one index, with or without statistics', async () => {
      const connected = (work: (client: pg.Client) => Promise<void>) =>
        withPostgresClient(url, optionsOf(LIST_SETTINGS), async (client) => {
          await client.query(`PREPARE read AS ${READ_CHANGES}`);
          await work(client);
        });
      await connected(async (client) => {
        assert.equal(await checkReads(client), 0);
        await client.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
        await client.query(INSERT_ROWS);
        assert.ok((await checkReads(client)) > 0);
        await client.query('VACUUM ANALYZE transactions');
        await checkReads(client);
      });
      await connected(async (client) => assert.ok((await checkReads(client)) > 0));
    });
  });
}
