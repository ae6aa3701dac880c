import type { Topology } from '../../../src/db/postgres/topology.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { nodesOf, type Plan } from './list-plans.ts';
import { noticesDuring } from './notices.ts';
import { queryPostgres } from './postgres.ts';

export interface ObservedPlan {
  text: string;
  plan: Plan;
  settings: Readonly<Record<string, string>>;
}

export async function sendPlans(url: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const all = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_settings': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    ...settings,
  };
  for (const [setting, value] of Object.entries(all))
    await queryPostgres(
      url,
      `ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET ${setting} = '${value}'`,
    );
}

export async function plansDuring(work: () => Promise<void>): Promise<ObservedPlan[]> {
  const notices = await noticesDuring(work);
  return notices
    .flatMap(({ message }) => /\{.*\}/s.exec(message)?.[0] ?? [])
    .map((text) => {
      const { 'Query Text': sent, Plan: plan, Settings: settings = {} } = JSON.parse(text);
      return { text: sent, plan, settings };
    });
}

const BOUND = /(ROW\([\w, ]+\)|\b[a-z_]+)(?=(::\w+)? (=|<|>|<=|>=|IS) )/g;

/** Keeps only scans and sorts, because the rest of a plan depends on values and on the server's version. */
const shapeOf = (plan: Plan): string[] =>
  nodesOf(plan).flatMap((node) => {
    const type = String(node['Node Type']);
    const from = node['Index Name'] ?? node['Relation Name'];
    if (!/Scan/.test(type) || from === undefined) return /Sort/.test(type) ? ['Sort'] : [];
    const way = node['Scan Direction'] === 'Backward' ? ' backward' : '';
    const bounds =
      String(node['Index Cond'] ?? '')
        .replaceAll(/\b\w+\./g, '')
        .match(BOUND) ?? [];
    const filter = node['Filter'] === undefined ? '' : ' filtered';
    return [`${type.replace(/ (Only )?Scan$/, '')} ${from}${way} (${bounds.join(', ')})${filter}`];
  });

export function stepsOf(plans: readonly ObservedPlan[]): Map<string, string> {
  const steps = new Map<string, Set<string>>();
  for (const { text, plan } of plans)
    steps.set(text, (steps.get(text) ?? new Set()).union(new Set(shapeOf(plan))));
  return new Map([...steps].map(([text, one]) => [text, [...one].join('\n')]));
}

export async function plansOfUses(url: string, topology: Topology, use: (store: Store) => Promise<void>) {
  const secured = await queryPostgres(url, 'SELECT relname FROM pg_class WHERE relrowsecurity');
  // Without row level security, the store treats the server as a cluster (see `readTopology`).
  if (topology === 'cluster')
    for (const { relname } of secured)
      await queryPostgres(url, `ALTER TABLE ${relname} DISABLE ROW LEVEL SECURITY`);
  await sendPlans(url, { plan_cache_mode: 'force_generic_plan' });
  return plansDuring(async () => {
    const options = { timeoutMs: 30_000, connections: 1, records: true, drawNonce: () => 7 };
    await use((await openStore(url, () => 0, options)).store);
  });
}
