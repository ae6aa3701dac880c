import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import pg from 'pg';
import type { AccountTransaction } from '../../../src/core/transaction.ts';
import { isMerged, type ListShape, leadingColumns, shapeName } from '../../../src/store/list-shape.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { LIST_SETTINGS, optionsOf } from '../../../src/store/postgres/driver/plan-settings.ts';
import { listSql } from '../../../src/store/postgres/list-sql.ts';
import { scanOf } from '../../../src/store/postgres/list-transactions.ts';
import {
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionOf,
} from '../../../src/store/transaction-columns.ts';
import { expectedList } from '../../rig/expected-list.ts';
import { INSERT_LIST_ROWS, LIST_CASES } from '../../rig/list-cases.ts';
import { makePostgresDatabase, POSTGRES_VERSIONS } from '../../rig/postgres.ts';

const LIMIT = 11;
/** The way to the first entry of a range is three pages of the index. */
const DEPTH = 3;
/** The entries of a page can be in as many pages of the table. */
const MAX_BUFFERS = LIMIT + DEPTH + 1;
/** A page of the index by merchantReference has at least this many entries. */
const ENTRIES_A_PAGE = 50;
/** The statuses that merged lists are read from: those of the table, and one that no row has. */
const STATUSES = ['cancelled', 'completed', 'expired', 'pending'];

const INDEXES: Readonly<Record<string, string>> = {
  '': 'transactions_by_time',
  status: 'transactions_by_status',
  'status,currency_code': 'transactions_by_status_currency',
  merchant_reference: 'transactions_by_merchant_reference_time',
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
    const statuses = isMerged(shape) ? STATUSES : [];
    const name = `"${shapeName(shape)} ${rowLevelSecurity}"`;
    const sql = listSql(shape, { rowLevelSecurity, statuses: statuses.length });
    if (!prepared.has(name)) await client.query(`PREPARE ${name} AS ${sql}`);
    prepared.add(name);
    const written = [...values, LIMIT, ...statuses].map((value) => client.escapeLiteral(String(value)));
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE ${name} (${written})`,
    );
    yield { shape, plan: rows[0]['QUERY PLAN'][0].Plan as Plan };
  }
}

function checkPlan(shape: ListShape, plan: Plan, rowsOfMerchantReference: number): void {
  const nodes = nodesOf(plan);
  const shown = () => JSON.stringify({ shape, plan }, null, 1);
  assert.ok(!nodes.some((node) => /Sort|Seq Scan|Bitmap/.test(String(node['Node Type']))), shown());
  const scans = nodes.filter((node) => 'Index Name' in node);
  for (const scan of scans) {
    assert.match(String(scan['Node Type']), /^Index (Only )?Scan$/, shown());
    assert.equal(scan['Scan Direction'], 'Backward', shown());
    assert.equal(scan['Filter'], undefined, shown());
    assert.equal(scan['Actual Loops'], 1, shown());
  }
  const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
  const rowsRead = (of: readonly Plan[]) => of.reduce((sum, scan) => sum + Number(scan['Actual Rows']), 0);
  if (isMerged(shape)) {
    const of = (index: string) => scans.filter((scan) => scan['Index Name'] === index);
    const ranges = of('transactions_by_status_currency');
    const otherStatuses = of('transactions_by_status');
    assert.equal(ranges.length, STATUSES.length, shown());
    assert.equal(otherStatuses.length, STATUSES.length + 1, shown());
    assert.equal(scans.length, ranges.length + otherStatuses.length, shown());
    assert.equal(rowsRead(otherStatuses), 0, shown());
    assert.ok(rowsRead(ranges) < LIMIT + STATUSES.length, shown());
    assert.ok(buffers <= rowsRead(ranges) + scans.length * (DEPTH + 1), shown());
    return;
  }
  assert.equal(scans.length, 1, shown());
  assert.equal(scans[0]?.['Index Name'], INDEXES[leadingColumns(shape).join()], shown());
  assert.ok(rowsRead(scans) <= LIMIT, shown());
  const isCompared = shape.merchantReference && (shape.status || shape.currency);
  assert.ok(buffers <= MAX_BUFFERS + (isCompared ? rowsOfMerchantReference / ENTRIES_A_PAGE : 0), shown());
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
        test(`every filter and range, matched or not, reads no more of its index than decision 0015 allows, without a sort (statistics: ${statistics}; row-level security: ${rowLevelSecurity ? 'on' : 'off'})`, async () => {
          if (statistics === 'gathered')
            await withClient('', async (client) => void (await client.query('VACUUM ANALYZE transactions')));
          await withClient(optionsOf(LIST_SETTINGS), async (client) => {
            const { rows } = await client.query(
              'SELECT max(count)::int AS most FROM (SELECT count(*) FROM transactions GROUP BY merchant_reference) AS counts',
            );
            const rowsOfMerchantReference = rows[0].most;
            let checked = 0;
            for await (const { shape, plan } of plansOf(client, rowLevelSecurity)) {
              checkPlan(shape, plan, rowsOfMerchantReference);
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
