import pg from 'pg';
import { Connection } from '../../../src/db/postgres/driver/connection.ts';
import { arrayText } from '../../../src/db/postgres/driver/index.ts';
import { LIST_SETTINGS } from '../../../src/db/postgres/driver/plan-settings.ts';
import { TOPOLOGIES, type Topology } from '../../../src/db/postgres/topology.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { USES } from '../store/use-every-call.ts';
import { queryPostgres } from './postgres.ts';
import { sectionsOf } from './statement-sections.ts';

/** The file that has them. */
export const STATEMENTS_FILE = 'test/store/statements-postgres.sql';

const HEADER = `-- Every statement of the store on PostgreSQL as it is sent, under the call of the store that sends it first (src/store/store.ts).
-- Written by "npm run statements".
--
-- Each is prepared once, as the service does, and can be pasted into psql with the settings at the beginning; EXPLAIN (ANALYZE, BUFFERS)
-- before EXECUTE shows its plan. A cluster has the same statements in a form that Citus can send to one shard: those that differ are in
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

/** Writes what was sent together once, in a form for psql, and prepares each statement once. */
function writer() {
  const written = new Set<string>();
  const names = new Map<string, string>();
  return (together: readonly Sent[]): string[] => {
    const key = JSON.stringify(together.map(({ text }) => text));
    if (together.length === 0 || written.has(key)) return [];
    written.add(key);
    const prepared: string[] = [];
    const executed = together.map(({ text, values }) => {
      // A script has several statements, which can't be prepared, and its values are written in it.
      if (values.length === 0) return `${text};`;
      if (!names.has(text)) {
        names.set(text, `s${names.size + 1}`);
        prepared.push(`PREPARE ${names.get(text)} AS\n${text};\n`);
      }
      return `EXECUTE ${names.get(text)} (${values.map(literal).join(', ')});`;
    });
    const isAlone = together.length === 1 && !together[0]?.text.includes(';');
    const lines = isAlone ? executed : ['BEGIN;', ...executed, 'COMMIT;'];
    return [`${prepared.join('')}${lines.join('\n')}\n`];
  };
}

/** The statements of each call of the store on PostgreSQL, as a text. `makeDatabase` makes an empty database. */
export async function postgresStatements(makeDatabase: () => Promise<string>): Promise<string> {
  const write = writer();
  const parts = [HEADER];
  const startedAtMs = Date.now();
  for (const topology of TOPOLOGIES) {
    const url = await makeDatabase();
    await (await openStore(url, () => 0)).store.close();
    if (topology === 'cluster') await useStatementsForCluster(url);
    const sent: string[] = [];
    const stop = noteSent((together) => sent.push(...write(together)));
    try {
      const options = { timeoutMs: 30_000, connections: 1, records: true, drawNonce: () => 7 };
      const { store } = await openStore(url, () => 0, options);
      const sections = await sectionsOf(store, USES, () => sent.splice(0));
      parts.push(TITLES[topology], ...sections);
    } finally {
      stop();
    }
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

/** Makes the service send the statements for a cluster to a server. */
async function useStatementsForCluster(databaseUrl: string): Promise<void> {
  const secured = await queryPostgres(databaseUrl, 'SELECT relname FROM pg_class WHERE relrowsecurity');
  for (const { relname } of secured)
    await queryPostgres(databaseUrl, `ALTER TABLE ${relname} DISABLE ROW LEVEL SECURITY`);
}
