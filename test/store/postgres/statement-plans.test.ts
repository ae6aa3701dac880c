import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Topology } from '../../../src/db/postgres/topology.ts';
import { declaredStatements } from '../../rig/database/declared-statements.ts';
import type { ObservedPlan } from '../../rig/database/postgres-statements.ts';
import { someInTier } from '../../rig/run/tier.ts';
import { ACCOUNTS, FILL_TABLES, LARGE_TABLES, ROWS_OF_ACCOUNT } from '../../rig/store/fill-tables.ts';

const { makePostgresDatabase, POSTGRES_VERSIONS, queryPostgres } = await import(
  '../../rig/database/postgres.ts'
);
const { plansOfUses, stepsOf } = await import('../../rig/database/postgres-statements.ts');
const { ACCOUNT, USES } = await import('../../rig/store/use-every-call.ts');
const { nodesOf } = await import('../../rig/database/list-plans.ts');
const { openCopyReader, openCopyTarget, openStore } = await import('../../../src/store/open-store.ts');
const { isFinal, isPending, part } = await import('../copy-contract.ts');
const { TOPOLOGIES } = await import('../../../src/db/postgres/topology.ts');

const NAMES_LARGE = new RegExp(`\\b(FROM|INTO|UPDATE|JOIN|ONLY) (${LARGE_TABLES.join('|')})\\b`);

const MOST_ROWS = (ACCOUNTS * ROWS_OF_ACCOUNT) / 10;

function faultOf({ text, plan }: ObservedPlan): string | undefined {
  const nodes = nodesOf(plan).filter((node) => LARGE_TABLES.includes(String(node['Relation Name'])));
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

const MANY_ROWS = [...FILL_TABLES, 'ANALYZE'];
const ONE_ACCOUNT = ["INSERT INTO accounts VALUES ('one', 0)", 'VACUUM ANALYZE accounts'];

async function copyInto(url: string): Promise<void> {
  const target = await openCopyTarget(url);
  const pending = isPending('a', 1);
  await target.writeChanges([part('copied-1', 0, 1, pending), part('copied-2', 0, 1, pending)]);
  await target.writeChanges([part('copied-1', 1, 2, isFinal(pending, 2))]);
  await target.close();
  const opened = await openCopyReader(url);
  assert.ok('reader' in opened);
  await opened.reader.readChanges([{ account: ACCOUNT, after: 0, upTo: ROWS_OF_ACCOUNT }]);
  await opened.reader.close();
}

async function plansOn(
  url: string,
  topology: Topology,
  contents: readonly string[],
): Promise<ObservedPlan[]> {
  await (await openStore(url, () => 0)).store.close();
  for (const sql of contents) await queryPostgres(url, sql);
  return plansOfUses(url, topology, async (store) => {
    for (const use of Object.values(USES)) await use(store);
    if (topology === 'one server') await copyInto(url);
  });
}

const CHOOSES = [/\breference = ANY\(\$2::text\[\]\) OFFSET 0/];

for (const { version, serverUrl, skip } of someInTier(POSTGRES_VERSIONS, 1)) {
  test(`each statement has one plan whatever the statistics say, and none scans a table, on ${version}`, {
    skip,
  }, async () => {
    const plans = [];
    for (const topology of TOPOLOGIES) {
      const make = async () => makePostgresDatabase(await serverUrl());
      const ofTopology = await plansOn(await make(), topology, MANY_ROWS);
      const ofFew = await plansOn(await make(), topology, ONE_ACCOUNT);
      const ofMany = stepsOf(ofTopology);
      // Only statements with $1 are compared. Others contain values, on which their plans may depend.
      const shared = [...stepsOf(ofFew)].filter(([text]) => text.includes('$1') && ofMany.has(text));
      assert.ok(shared.length > 30, `${shared.length} statements were sent to both databases`);
      for (const [text, steps] of shared)
        if (!CHOOSES.some((one) => one.test(text))) assert.equal(steps, ofMany.get(text), text);
      plans.push(...ofTopology);
      const generic = ofTopology.filter(
        ({ text, settings }) =>
          NAMES_LARGE.test(text) && settings['plan_cache_mode'] === 'force_generic_plan',
      );
      if (topology === 'cluster') assert.deepEqual([...new Set(generic.map(({ text }) => text))], []);
      else assert.ok(generic.length > 0);
    }
    // `copyInto` sends some statements as parts of longer ones, so `includes` searches in all sent texts.
    const sent = plans.map(({ text }) => text).join('\n');
    assert.ok(declaredStatements.size > 60, 'the store was loaded before its statements were noted');
    assert.deepEqual(
      [...declaredStatements].filter((text) => NAMES_LARGE.test(text) && !sent.includes(text)),
      [],
      'these statements were not sent: use-every-call.ts has no use of them',
    );
    const faults = plans.flatMap((one) => faultOf(one) ?? []);
    assert.deepEqual([...new Set(faults)], []);
  });
}
