import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import pg from 'pg';
import type { ListShape } from '../../../src/store/list-shape.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { LIST_SESSION_OPTIONS } from '../../../src/store/postgres/database.ts';
import { listSql, type Wall } from '../../../src/store/postgres/list-transactions.ts';
import { LIST_SHAPES } from '../../rig/list-shapes.ts';
import { askPostgres, makePostgresDatabase } from '../../rig/postgres.ts';

const ROWS = 20_000;
const MAX_BUFFERS = 15;

let url: string;

/** One account with almost all rows, nearly all of one status: what misleads statistics. */
before(async () => {
  url = await makePostgresDatabase();
  const { store } = await openStore(url, () => 0);
  await store.close();
  await askPostgres(
    url,
    `INSERT INTO transactions (account, created_at_ms, reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms)
     SELECT CASE WHEN n % 20 = 0 THEN 'small-' || n % 400 ELSE 'large' END, n / 3, 'tx_' || n,
       CASE WHEN n % 3000 = 1 THEN 'order-7' WHEN n % 4 > 0 THEN 'order-1' END,
       CASE WHEN n % 10000 = 1 THEN 'pending' ELSE 'completed' END, n,
       CASE WHEN n % 5000 = 1 THEN 'JPY' ELSE 'EUR' END, CASE WHEN n % 10000 = 1 THEN NULL ELSE n END
     FROM generate_series(1, ${ROWS}) AS n`,
  );
});

const indexOf = ({ merchantReference, status, currency }: ListShape) => {
  const columns = [merchantReference && 'merchant_reference', status && 'status', currency && 'currency'];
  return `transactions_by_${columns.filter(Boolean).join('_') || 'time'}`;
};

function valuesOf({ merchantReference, status, currency, from, end }: ListShape): unknown[] {
  const values: unknown[] = ['large'];
  if (merchantReference) values.push('order-7');
  if (status) values.push('pending');
  if (currency) values.push('JPY');
  if (from) values.push(0);
  if (end === 'before') values.push(ROWS);
  if (end === 'after') values.push(ROWS / 4, 'tx_1');
  return [...values, 11];
}

type Plan = Record<string, unknown> & { Plans?: Plan[] };

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

async function plansOf(wall: Wall): Promise<{ shape: ListShape; plan: Plan }[]> {
  const client = new pg.Client({ connectionString: url, options: LIST_SESSION_OPTIONS });
  await client.connect();
  const plans = [];
  for (const [number, shape] of LIST_SHAPES.entries()) {
    const values = valuesOf(shape).map((value) => client.escapeLiteral(String(value)));
    await client.query(`PREPARE s${number} AS ${listSql(shape, wall)}`);
    await client.query(`EXECUTE s${number} (${values})`);
    const { rows } = await client.query(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE s${number} (${values})`,
    );
    plans.push({ shape, plan: rows[0]['QUERY PLAN'][0].Plan as Plan });
  }
  await client.end();
  return plans;
}

for (const statistics of ['none yet', 'gathered']) {
  for (const wall of ['row-level security', 'none'] as const) {
    test(`every combination of filters reads at most 11 entries of its own index, without a sort (statistics: ${statistics}; wall: ${wall})`, async () => {
      if (statistics === 'gathered') await askPostgres(url, 'VACUUM ANALYZE transactions');
      for (const { shape, plan } of await plansOf(wall)) {
        const nodes = nodesOf(plan);
        const told = JSON.stringify({ shape, plan }, null, 1);
        const scans = nodes.filter((node) => 'Index Name' in node);
        assert.equal(scans.length, 1, told);
        const scan = scans[0] as Plan;
        assert.match(String(scan['Node Type']), /^Index (Only )?Scan$/, told);
        assert.equal(scan['Index Name'], indexOf(shape), told);
        assert.equal(scan['Scan Direction'], 'Backward', told);
        assert.equal(scan['Filter'], undefined, told);
        assert.ok(!nodes.some((node) => /Sort|Seq Scan|Bitmap/.test(String(node['Node Type']))), told);
        assert.ok(Number(scan['Actual Rows']) <= 11, told);
        const buffers = Number(plan['Shared Hit Blocks']) + Number(plan['Shared Read Blocks']);
        assert.ok(buffers <= MAX_BUFFERS, told);
      }
    });
  }
}
