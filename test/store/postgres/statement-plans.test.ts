import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Topology } from '../../../src/db/postgres/topology.ts';
import { declaredStatements } from '../../rig/database/declared-statements.ts';
import type { ObservedPlan } from '../../rig/database/observed-plans.ts';

// These load the store.
const { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } = await import(
  '../../rig/database/postgres.ts'
);
const { plansDuring, SEND_PLANS } = await import('../../rig/database/observed-plans.ts');
const { ACCOUNTS, FILL_TABLES, ROWS_OF_ACCOUNT, USES } = await import('../../rig/store/use-every-call.ts');
const { nodesOf } = await import('../../rig/database/list-plans.ts');
const { openStore } = await import('../../../src/store/open-store.ts');
const { TOPOLOGIES } = await import('../../../src/db/postgres/topology.ts');

/** The tables whose rows become more with accounts, transactions, keys or time. */
const LARGE = [...new Set(FILL_TABLES.map((sql) => /INTO (\w+)/.exec(sql)?.[1] as string))];
const NAMES_LARGE = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN|ONLY) (${LARGE.join('|')})\\b`);

/** What a statement reads at most: the rows of some accounts, far less than a table. */
const MOST_ROWS = (ACCOUNTS * ROWS_OF_ACCOUNT) / 10;

function faultOf({ text, plan }: ObservedPlan): string | undefined {
  const nodes = nodesOf(plan).filter((node) => LARGE.includes(String(node['Relation Name'])));
  const rowsOf = (node: Record<string, unknown>) =>
    (Number(node['Actual Rows'] ?? 0) +
      Number(node['Rows Removed by Filter'] ?? 0) +
      Number(node['Rows Removed by Index Recheck'] ?? 0)) *
    Number(node['Actual Loops'] ?? 1);
  const read = nodes.reduce((sum, node) => sum + rowsOf(node), 0);
  const scan = nodes.find((node) => node['Node Type'] === 'Seq Scan');
  if (scan !== undefined) return `scans ${scan['Relation Name']}: ${text}`;
  return read > MOST_ROWS ? `reads ${read} rows: ${text}` : undefined;
}

/** The plans of all statements that a store sends to a database with many rows. */
async function plansOn(url: string, topology: Topology): Promise<ObservedPlan[]> {
  const options = { timeoutMs: 30_000, connections: 1, records: true };
  const run = (sql: string) => queryPostgres(url, sql);
  await (await openStore(url, () => 0)).store.close();
  for (const sql of FILL_TABLES) await run(sql);
  await run('ANALYZE');
  if (topology === 'cluster')
    for (const table of LARGE) await run(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
  const settings = { ...SEND_PLANS, plan_cache_mode: 'force_generic_plan' };
  for (const [setting, value] of Object.entries(settings))
    await run(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET ${setting} = '${value}'`);
  return plansDuring(async () => {
    const { store } = await openStore(url, () => 0, options);
    for (const use of Object.values(USES)) await use(store);
  });
}

for (const { version, serverUrl, skip } of POSTGRES_VERSIONS) {
  test(`no statement that the store can send scans a table, on ${version}`, { skip }, async () => {
    const plans = [];
    for (const topology of TOPOLOGIES) {
      const ofTopology = await plansOn(await makePostgresDatabase(await serverUrl()), topology);
      plans.push(...ofTopology);
      // Citus executes few statements with a generic plan, and refuses all others.
      const generic = ofTopology.filter(
        ({ text, settings }) =>
          NAMES_LARGE.test(text) && settings['plan_cache_mode'] === 'force_generic_plan',
      );
      if (topology === 'cluster') assert.deepEqual([...new Set(generic.map(({ text }) => text))], []);
      else assert.ok(generic.length > 0);
    }
    const sent = new Set(plans.map(({ text }) => text));
    assert.ok(declaredStatements.size > 60, 'the store was loaded before its statements were noted');
    assert.deepEqual(
      [...declaredStatements].filter((text) => NAMES_LARGE.test(text) && !sent.has(text)),
      [],
      'these statements were not sent: use-every-call.ts has no use of them',
    );
    const faults = plans.flatMap((one) => faultOf(one) ?? []);
    assert.deepEqual([...new Set(faults)], []);
  });
}
