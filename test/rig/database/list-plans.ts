import assert from 'node:assert/strict';
import type pg from 'pg';
import {
  equalityColumns,
  isMerged,
  type ListShape,
  leadingColumns,
  ownIndexedColumn,
  shapeName,
} from '../../../src/ledger/list/list.ts';
import { type ListSqlOptions, listSql } from '../../../src/ledger/list/postgres/list-sql.ts';
import { scanOf } from '../../../src/ledger/list/postgres/read-list.ts';
import { LIST_CASES } from '../data/list-cases.ts';

export const LIST_LIMIT = 11;
/** A scan reads three pages of an index before it reaches the first entry of a range. */
const DEPTH = 3;
const ENTRIES_A_PAGE = 50;
const STATUSES = ['cancelled', 'completed', 'expired', 'pending'];

const INDEXES: Readonly<Record<string, string>> = {
  '': 'transactions_by_time',
  status: 'transactions_by_status',
  'status,currency_code': 'transactions_by_status_currency',
};

export type Plan = Record<string, unknown> & { Plans?: Plan[] };

export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

interface PlannedLists extends Omit<ListSqlOptions, 'statuses'> {
  limit: number;
}

export async function* listPlans(client: pg.Client, options: PlannedLists) {
  for await (const { shape, execute } of preparedLists(client, options))
    yield { shape, plan: await explain(client, execute) };
}

/** Explains `written`, because Citus shows plans of statements with parameters in another format. */
export async function* listPlansOnCitus(client: pg.Client) {
  for await (const { shape, name, execute, written } of preparedLists(client, {
    topology: 'cluster',
    limit: LIST_LIMIT,
  })) {
    await client.query(execute);
    yield { shape, name, plan: await explain(client, written) };
  }
}

async function explain(client: pg.Client, sql: string): Promise<Plan> {
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`);
  return rows[0]['QUERY PLAN'][0].Plan;
}

async function* preparedLists(client: pg.Client, { limit, ...options }: PlannedLists) {
  const prepared = new Set<string>();
  for (const query of LIST_CASES) {
    const { shape, values } = scanOf(query);
    const statuses = isMerged(shape) ? STATUSES : [];
    const name = shapeName(shape);
    const sql = listSql(shape, { ...options, statuses: statuses.length });
    if (!prepared.has(name)) await client.query(`PREPARE "${name}" AS ${sql}`);
    prepared.add(name);
    const given = [...values, limit, ...statuses];
    const execute = `EXECUTE "${name}" (${given.map((value) => client.escapeLiteral(String(value)))})`;
    const written = sql.replace(/\$(\d+)/g, (_, number) => {
      const value = given[Number(number) - 1];
      return typeof value === 'number' ? String(value) : client.escapeLiteral(String(value));
    });
    yield { shape, name, execute, written };
  }
}

/** A list may read no more of its index than decisions/list.md allows, and may sort nothing. */
export function checkListPlan(
  shape: ListShape,
  plan: Plan,
  rowsOfMerchantReference: number,
  limit = LIST_LIMIT,
): void {
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
  const indexPages = Math.floor(limit / ENTRIES_A_PAGE);
  const rowsRead = (of: readonly Plan[]) => of.reduce((sum, scan) => sum + Number(scan['Actual Rows']), 0);
  if (isMerged(shape)) {
    const of = (index: string) => scans.filter((scan) => indexOf(scan) === index);
    const ranges = of('transactions_by_status_currency');
    const otherStatuses = of('transactions_by_status');
    assert.equal(ranges.length, STATUSES.length, shown());
    assert.equal(otherStatuses.length, STATUSES.length + 1, shown());
    assert.equal(scans.length, ranges.length + otherStatuses.length, shown());
    assert.equal(rowsRead(otherStatuses), 0, shown());
    assert.ok(rowsRead(ranges) < limit + STATUSES.length, shown());
    assert.ok(buffers <= rowsRead(ranges) + scans.length * (DEPTH + 1 + indexPages), shown());
    return;
  }
  assert.equal(scans.length, 1, shown());
  const own = ownIndexedColumn(shape);
  assert.equal(
    indexOf(scans[0] as Plan),
    own === undefined ? INDEXES[leadingColumns(shape).join()] : `transactions_by_${own}_time`,
    shown(),
  );
  assert.ok(rowsRead(scans) <= limit, shown());
  const isCompared = own !== undefined && equalityColumns(shape).length > 1;
  const compared = isCompared ? rowsOfMerchantReference / ENTRIES_A_PAGE : 0;
  assert.ok(buffers <= limit + indexPages + DEPTH + 1 + compared, shown());
}

const indexOf = (scan: Plan) => String(scan['Index Name']).replace(/_\d+$/, '');

export async function rowsOfMerchantReference(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'SELECT max(count)::int AS most FROM (SELECT count(*) FROM transactions GROUP BY merchant_reference) AS counts',
  );
  return rows[0].most;
}
