import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import pg from 'pg';
import type { AccountTransaction } from '../../../src/core/transaction.ts';
import { type ListShape, shapeName } from '../../../src/store/list-shape.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { LIST_SETTINGS, optionsOf } from '../../../src/store/postgres/driver/plan-settings.ts';
import { listSql, scanOf } from '../../../src/store/postgres/list-transactions.ts';
import {
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionOf,
} from '../../../src/store/transaction-columns.ts';
import { expectedList } from '../../rig/expected-list.ts';
import { INSERT_LIST_ROWS, LIST_CASES } from '../../rig/list-cases.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS } from '../../rig/postgres.ts';

const LIMIT = 11;
/** Each entry can be on another page of the table, and three pages of the index lead to the first. */
const MAX_BUFFERS = LIMIT + 4;

const indexOf = ({ merchantReference, status, currency }: ListShape) => {
  const columns = [merchantReference && 'merchant_reference', status && 'status', currency && 'currency'];
  return `transactions_by_${columns.filter(Boolean).join('_') || 'time'}`;
};

type Plan = Record<string, unknown> & { Plans?: Plan[] };

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Runs every case on one connection, each statement prepared once, as the service does. */
async function* plansOf(
  client: pg.Client,
  rowLevelSecurity: boolean,
): AsyncGenerator<{ shape: ListShape; plan: Plan }> {
  const prepared = new Set<string>();
  for (const query of LIST_CASES) {
    const { shape, values } = scanOf(query);
    const name = `"${shapeName(shape)} ${rowLevelSecurity}"`;
    if (!prepared.has(name)) await client.query(`PREPARE ${name} AS ${listSql(shape, rowLevelSecurity)}`);
    prepared.add(name);
    const written = [...values, LIMIT].map((value) => client.escapeLiteral(String(value)));
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} (${written})`,
    );
    yield { shape, plan: rows[0]['QUERY PLAN'][0].Plan as Plan };
  }
}

function checkPlan(shape: ListShape, plan: Plan): void {
  const nodes = nodesOf(plan);
  const shown = () => JSON.stringify({ shape, plan }, null, 1);
  const scans = nodes.filter((node) => 'Index Name' in node);
  assert.equal(scans.length, 1, shown());
  const scan = scans[0] as Plan;
  assert.match(String(scan['Node Type']), /^Index (Only )?Scan$/, shown());
  assert.equal(scan['Index Name'], indexOf(shape), shown());
  assert.equal(scan['Scan Direction'], 'Backward', shown());
  assert.equal(scan['Filter'], undefined, shown());
  assert.ok(!nodes.some((node) => /Sort|Seq Scan|Bitmap/.test(String(node['Node Type']))), shown());
  assert.ok(Number(scan['Actual Rows']) <= LIMIT, shown());
  const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
  assert.ok(buffers <= MAX_BUFFERS, shown());
}

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  describe(`lists on ${version}`, { skip }, () => {
    let url: string;
    const withClient = async (options: string, work: (client: pg.Client) => Promise<void>) => {
      const client = new pg.Client({ connectionString: url, ...(options !== '' && { options }) });
      await client.connect();
      try {
        await work(client);
      } finally {
        await client.end();
      }
    };

    before(async () => {
      url = await makePostgresDatabase(await serverUrl());
      await (await openStore(url, () => 0)).store.close();
      await withClient('', async (client) => {
        // Statistics are gathered only when a test does so.
        await client.query('ALTER TABLE transactions SET (autovacuum_enabled = off)');
        await client.query(INSERT_LIST_ROWS);
      });
    });

    for (const statistics of ['none yet', 'gathered']) {
      for (const rowLevelSecurity of [true, false]) {
        test(`every filter and range, matched or not, reads at most ${LIMIT} entries of its own index, without a sort (statistics: ${statistics}; row-level security: ${rowLevelSecurity ? 'on' : 'off'})`, async () => {
          if (statistics === 'gathered')
            await withClient('', async (client) => void (await client.query('VACUUM ANALYZE transactions')));
          await withClient(optionsOf(LIST_SETTINGS), async (client) => {
            let checked = 0;
            for await (const { shape, plan } of plansOf(client, rowLevelSecurity)) {
              checkPlan(shape, plan);
              checked++;
            }
            assert.equal(checked, LIST_CASES.length);
          });
        });
      }
    }

    test('the store returns each list exactly', async () => {
      const rows: AccountTransaction[] = [];
      await withClient('', async (client) => {
        const found = await client.query<[...TransactionRow, string]>({
          text: `SELECT ${TRANSACTION_COLUMNS}, account FROM transactions ORDER BY created_at_ms DESC, reference DESC`,
          rowMode: 'array',
          types: { getTypeParser: (oid: number) => (oid === 20 ? Number : String) } as pg.CustomTypesConfig,
        });
        for (const row of found.rows)
          rows.push({ ...transactionOf(row.slice(0, 7) as unknown as TransactionRow), account: row[7] });
      });
      const { store } = await openStore(url, () => 0);
      for (const query of LIST_CASES) {
        const { transactions } = await store.listTransactions(query, LIMIT);
        const expected = expectedList(rows, query.account, query.filter, query.after);
        assert.deepEqual(
          transactions,
          expected.slice(0, LIMIT).map(({ account: _, ...transaction }) => transaction),
          JSON.stringify(query),
        );
      }
      await store.close();
    });
  });
}
