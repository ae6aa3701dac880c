import pg from 'pg';
import { Connection } from '../../../src/db/postgres/driver/connection.ts';
import { arrayText } from '../../../src/db/postgres/driver/index.ts';
import { LIST_SETTINGS } from '../../../src/db/postgres/driver/plan-settings.ts';
import { TOPOLOGIES, type Topology } from '../../../src/db/postgres/topology.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { SHOWN_USES } from '../store/use-every-call.ts';
import { nodesOf, type Plan } from './list-plans.ts';
import { noticesDuring } from './notices.ts';
import { queryPostgres } from './postgres.ts';

/** The file that has them. */
export const STATEMENTS_FILE = 'test/store/statements-postgres.sql';

const HEADER = `-- Every statement of the store on PostgreSQL as it is sent, under the call of the store that sends it first (src/store/store.ts),
-- with what its plan reads and sorts. Lists with filters and a range at once are composed in the same way.
-- Written by "npm run statements".
--
-- Each is prepared once, as the service does, and can be pasted into psql with the settings at the beginning. A cluster has the same statements in a form that Citus can send to one shard: those that differ are in
-- the second half. Background work begins with a statement_timeout, which is left out.
${Object.entries(LIST_SETTINGS)
  .map(([name, value]) => `SET ${name} = ${value};`)
  .join('\n')}
`;

export const TITLES: Record<Topology, string> = {
  'one server': '-- ON ONE SERVER\n',
  cluster: '-- ON A CLUSTER\n',
};

/** In place of times of the database's clock. */
const DATABASE_TIME_MS = '1772323200000';

interface Sent {
  text: string;
  values: readonly unknown[];
}

type Send = (this: Connection, ...values: never[]) => unknown;

/** Notes what connections send, in order: statements of one transaction together. Returns a function that ends it. */
function noteSent(note: (together: readonly Sent[]) => void): () => void {
  const sentBy = {
    query: (statement: { text: string }, values: readonly unknown[]) => [{ text: statement.text, values }],
    transact: (steps: readonly { statement: { text: string }; values: readonly unknown[] }[]) =>
      steps.map(({ statement: { text }, values }) => ({ text, values })),
    script: (text: string) => [{ text, values: [] }],
    sendBatch: (queries: readonly { statement: { text: string }; values: readonly unknown[] }[]) =>
      queries.map(({ statement: { text }, values }) => ({ text, values })),
  };
  const methods = Connection.prototype as unknown as Record<string, Send>;
  const originals = Object.keys(sentBy).map((name) => [name, methods[name] as Send] as const);
  for (const [name, original] of originals)
    methods[name] = function (...values) {
      const sent = (sentBy[name as keyof typeof sentBy] as (...values: never[]) => Sent[])(...values);
      note(sent.filter(({ text }) => !text.includes("set_config('statement_timeout'")));
      return original.apply(this, values);
    };
  return () => {
    for (const [name, original] of originals) methods[name] = original;
  };
}

const literal = (value: unknown) =>
  value === null
    ? 'NULL'
    : typeof value === 'number'
      ? String(value)
      : pg.escapeLiteral(Array.isArray(value) ? arrayText(value) : String(value));

/** A statement as a connection sent it, with the plan that its server used. */
export interface ObservedPlan {
  text: string;
  plan: Plan;
  /** The planner's settings of the connection that are not the defaults. */
  settings: Readonly<Record<string, string>>;
}

/** Makes a database send each session the plans of its statements, as notices. */
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

/** Collects the plans that servers send to the connections of this process while work is done. */
export async function plansDuring(work: () => Promise<void>): Promise<ObservedPlan[]> {
  const notices = await noticesDuring(work);
  return notices
    .flatMap(({ message }) => /\{.*\}/s.exec(message)?.[0] ?? [])
    .map((text) => {
      const { 'Query Text': sent, Plan: plan, Settings: settings = {} } = JSON.parse(text);
      return { text: sent, plan, settings };
    });
}

/** A column of the bounds of an index, or several that are compared together. */
const BOUND = /(ROW\([\w, ]+\)|\b[a-z_]+)(?=(::\w+)? (=|<|>|<=|>=|IS) )/g;

/** What a plan reads of its tables and sorts: the same for other values and on other versions. */
const shapeOf = (plan: Plan): string[] =>
  nodesOf(plan).flatMap((node) => {
    const type = String(node['Node Type']);
    const from = node['Index Name'] ?? node['Relation Name'];
    if (!/Scan/.test(type) || from === undefined) return /Sort/.test(type) ? ['Sort'] : [];
    const way = node['Scan Direction'] === 'Backward' ? ' backward' : '';
    // The values and how the server computes them are its own.
    const bounds =
      String(node['Index Cond'] ?? '')
        .replaceAll(/\b\w+\./g, '')
        .match(BOUND) ?? [];
    const filter = node['Filter'] === undefined ? '' : ' filtered';
    return [`${type.replace(/ (Only )?Scan$/, '')} ${from}${way} (${bounds.join(', ')})${filter}`];
  });

/** Writes what was sent together once, in a form for psql, and prepares each statement once. The plan is written in place of `planMark`. */
function writer() {
  const written = new Set<string>();
  const names = new Map<string, string>();
  return (together: readonly Sent[]): string[] => {
    const key = JSON.stringify(together.map(({ text }) => text));
    if (together.length === 0 || written.has(key)) return [];
    written.add(key);
    const prepared: string[] = [];
    const executed = together.map(({ text, values }) => {
      // A script has several statements, which can't be prepared. Its values are written in it, and each time it is planned for them.
      if (values.length === 0) return `${text};`;
      if (!names.has(text)) {
        names.set(text, `s${names.size + 1}`);
        prepared.push(`PREPARE ${names.get(text)} AS\n${text};\n${planMark(text)}`);
      }
      return `EXECUTE ${names.get(text)} (${values.map(literal).join(', ')});`;
    });
    const isAlone = together.length === 1 && !together[0]?.text.includes(';');
    const lines = isAlone ? executed : ['BEGIN;', ...executed, 'COMMIT;'];
    return [`${prepared.join('')}${lines.join('\n')}\n`];
  };
}

/** Stands for a plan, which is known when all statements were sent. */
const planMark = (text: string) => `<<plan of ${Buffer.from(text).toString('hex')}>>`;

/** The steps of each statement of a file, in its part for a topology. */
export function writtenPlans(file: string, topology: Topology): (text: string) => string | undefined {
  const [single = '', cluster = ''] = file.split(TITLES.cluster);
  const part = topology === 'cluster' ? cluster : single;
  return (text) => {
    const [, after] = part.split(` AS\n${text};\n`, 2);
    return after === undefined ? undefined : /^(-- .*\n)*/.exec(after)?.[0];
  };
}

/** The steps of the plans of each statement. */
export function stepsOf(plans: readonly ObservedPlan[]): Map<string, string> {
  const steps = new Map<string, Set<string>>();
  for (const { text, plan } of plans)
    steps.set(text, (steps.get(text) ?? new Set()).union(new Set(shapeOf(plan))));
  return new Map([...steps].map(([text, one]) => [text, [...one].map((step) => `-- ${step}\n`).join('')]));
}

/** Uses a store on a database that has its tables, and returns the plans of what was sent. */
export async function plansOfUses(
  url: string,
  topology: Topology,
  use: (store: Store) => Promise<void>,
): Promise<ObservedPlan[]> {
  // So the service sends the statements for a cluster.
  const secured = await queryPostgres(url, 'SELECT relname FROM pg_class WHERE relrowsecurity');
  if (topology === 'cluster')
    for (const { relname } of secured)
      await queryPostgres(url, `ALTER TABLE ${relname} DISABLE ROW LEVEL SECURITY`);
  await sendPlans(url, { plan_cache_mode: 'force_generic_plan' });
  return plansDuring(async () => {
    const options = { timeoutMs: 30_000, connections: 1, records: true, drawNonce: () => 7 };
    await use((await openStore(url, () => 0, options)).store);
  });
}

/** The statements of each call of the store on PostgreSQL, as a text. `makeDatabase` makes an empty database. */
export async function postgresStatements(makeDatabase: () => Promise<string>): Promise<string> {
  const write = writer();
  const parts = [HEADER];
  const startedAtMs = Date.now();
  for (const topology of TOPOLOGIES) {
    const url = await makeDatabase();
    await (await openStore(url, () => 0)).store.close();
    let part = TITLES[topology];
    const sent: string[] = [];
    const stop = noteSent((together) => sent.push(...write(together)));
    const plans = await plansOfUses(url, topology, async (store) => {
      for (const [name, use] of Object.entries(SHOWN_USES)) {
        await use(store);
        if (sent.length > 0) part += `\n-- ${name}\n${sent.splice(0).join('\n')}`;
      }
    }).finally(stop);
    for (const [text, steps] of stepsOf(plans)) part = part.replaceAll(planMark(text), () => steps);
    parts.push(part.replaceAll(/<<plan of .*?>>/g, ''));
  }
  // Ids of the audit trail are random.
  const auditIds = new Map<string, string>();
  const numbered = (id: string) => {
    if (!auditIds.has(id)) auditIds.set(id, `au_${String(auditIds.size + 1).padStart(16, '0')}`);
    return auditIds.get(id) as string;
  };
  return parts
    .join('\n')
    .replace(/\bau_[0-9A-Za-z]{16}\b/g, numbered)
    .replace(/\b\d{13}\b/g, (time) =>
      Number(time) >= startedAtMs && Number(time) <= Date.now() ? DATABASE_TIME_MS : time,
    );
}
