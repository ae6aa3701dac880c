import { createWriteStream, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { type Rounds, serviceRequests } from './list-requests.ts';
import { CACHE, type Data, type DataSize, LARGE_ACCOUNT, makeKeys, rowsOf, writeCsv } from './rig/data.ts';
import { type Databases, runCommand, withDatabases } from './rig/databases.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { forSeconds, type SteadyResult, sendSteadily } from './rig/steady.ts';
import { THIS_VERSION, VERSION_BEFORE } from './rig/versions.ts';

const PUTS_A_SECOND = 20;
const LISTS_A_SECOND = 50;
const CHECK_EVERY_MS = 250;
const UNNUMBERED = `final_sequence IS NULL AND (status <> 'pending' OR pending_sequence IS NULL)`;

/** A database whose transactions have no sequence numbers, with its keys. */
export interface Unnumbered {
  url: string;
  size: DataSize;
  keys: Data['keys'];
  operatorKey: string;
}

/** How long the numbering of existing databases takes, and recordings and lists meanwhile, on both stores. */
export async function numbering(size: DataSize, rounds: Rounds): Promise<Finding[]> {
  const csv = `${CACHE}numbering-${process.pid}.csv`;
  const findings: Finding[] = [];
  await withDatabases('numbering', async (databases) => {
    await writeCsv(size, createWriteStream(csv));
    note(`${databases.store}: importing ${rowsOf(size).toLocaleString('en')} rows without sequence numbers`);
    const unnumbered = await importUnnumbered(databases, size, csv);
    rmSync(csv);
    for (const by of ['migrate', 'serve'] as const) {
      const url = await databases.create(unnumbered.url);
      findings.push(...(await numberBy(by, { ...unnumbered, url }, databases.store, rounds)));
    }
  });
  return findings;
}

async function importUnnumbered(databases: Databases, size: DataSize, csv: string): Promise<Unnumbered> {
  const url = await databases.create();
  const keys = await makeKeys(url, size, VERSION_BEFORE);
  const operatorKey = await makeOperatorKey(url, VERSION_BEFORE);
  await runCommand(url, ['import', csv], VERSION_BEFORE);
  if (VERSION_BEFORE === THIS_VERSION) {
    const removed =
      'pending_sequence = NULL, pending_recorded_at_ms = NULL, final_sequence = NULL, final_recorded_at_ms = NULL';
    await query(url, `UPDATE transactions SET ${removed}`);
    await query(url, 'DELETE FROM accounts');
    await query(url, isSqlite(url) ? 'VACUUM' : 'VACUUM FULL transactions');
  }
  if (!isSqlite(url)) await query(url, 'VACUUM (ANALYZE) transactions');
  return { url, size, keys, operatorKey };
}

interface Numbered {
  /** From the start to the first transaction that is numbered: the migrations. */
  schemaMs: number;
  tookMs: number;
  /** The CPU time of `migrate`. */
  cpuMs: number | undefined;
  puts: SteadyResult;
  lists: SteadyResult;
}

/**
 * Numbers a database under a load of recordings, all of the large account, and lists: by `migrate` beside a service of the version
 * before, or in the background of this version's service.
 */
export async function numberBy(
  by: 'migrate' | 'serve',
  database: Unnumbered,
  store: string,
  { secondsEach }: Rounds,
): Promise<Finding[]> {
  note(`${store}: numbering by ${by}`);
  const bytesBefore = await bytesOf(database.url);
  const startedAtMs = performance.now();
  const root = by === 'migrate' ? VERSION_BEFORE : THIS_VERSION;
  const service = await startService(database.url, { env: { OPERATOR_PORT: '0' }, cores: '0,1', root });
  const offer = (phase: string, isWanted: () => boolean) => offerLoad(service, database, phase, isWanted);
  let found: Numbered;
  try {
    if (by === 'migrate') {
      await offer('first', forSeconds(secondsEach));
      let isRunning = true;
      const migrated = runCommand(database.url, ['migrate']).finally(() => {
        isRunning = false;
      });
      const [load, result] = await Promise.all([offer('during', () => isRunning), migrated]);
      const { tookMs, cpuMs, output } = result;
      found = { ...load, tookMs, cpuMs, schemaMs: output[0]?.atMs ?? 0 };
    } else {
      const schemaMs = service.startedWithinMs;
      let isRunning = true;
      const numbered = untilNumbered(database.url).finally(() => {
        isRunning = false;
      });
      const [load] = await Promise.all([offer('during', () => isRunning), numbered]);
      found = { ...load, tookMs: performance.now() - startedAtMs, cpuMs: undefined, schemaMs };
    }
    const quiet = await offer('quiet', forSeconds(secondsEach * 5));
    const bytes = { before: bytesBefore, after: await bytesOf(database.url) };
    return findingsOf(`${store}: numbering by ${by}`, rowsOf(database.size), { ...found, quiet, bytes });
  } finally {
    await service.stop();
  }
}

async function offerLoad(
  service: MeasuredServer,
  { size, keys, operatorKey }: Unnumbered,
  phase: string,
  isWanted: () => boolean,
): Promise<{ puts: SteadyResult; lists: SteadyResult }> {
  const requests = serviceRequests(size, keys);
  const [puts, lists] = await Promise.all([
    sendSteadily(PUTS_A_SECOND, isWanted, async (index) => {
      const [request] = putRequests(operatorKey, `${phase}-${index}-`, 1, () => LARGE_ACCOUNT);
      const { path, ...init } = request as NonNullable<typeof request>;
      const response = await fetch(`${service.operatorUrl}${path}`, init);
      await response.text();
      return response.status === 201;
    }),
    sendSteadily(LISTS_A_SECOND, isWanted, async (index) => {
      const { path, headers = {} } = requests[index % requests.length] as (typeof requests)[0];
      const response = await fetch(`${service.url}${path}`, { headers });
      await response.text();
      return response.status === 200;
    }),
  ]);
  return { puts, lists };
}

async function untilNumbered(url: string): Promise<void> {
  while ((await query(url, `SELECT 1 FROM transactions WHERE ${UNNUMBERED} LIMIT 1`)) !== undefined)
    await delay(CHECK_EVERY_MS);
}

const isSqlite = (url: string) => url.startsWith('sqlite:');

/** The first value of the first row, if any. */
async function query(url: string, sql: string): Promise<unknown> {
  if (!isSqlite(url)) return queryPostgresOnce(url, sql);
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: 60_000 });
  try {
    const [row] = db.prepare(sql).all();
    return row && Object.values(row)[0];
  } finally {
    db.close();
  }
}

/** The size of the table and its indexes; on SQLite, of the file. */
async function bytesOf(url: string): Promise<number> {
  if (!isSqlite(url)) return Number(await query(url, `SELECT pg_total_relation_size('transactions')`));
  await query(url, 'PRAGMA wal_checkpoint(TRUNCATE)');
  return statSync(url.slice('sqlite:'.length)).size;
}

function findingsOf(
  name: string,
  rows: number,
  {
    schemaMs,
    tookMs,
    cpuMs,
    puts,
    lists,
    quiet,
    bytes,
  }: Numbered & {
    quiet: Awaited<ReturnType<typeof offerLoad>>;
    bytes: { before: number; after: number };
  },
): Finding[] {
  const mb = (count: number) => (count / 1e6).toFixed(1);
  const times = ({ p99Ms, p50Ms, mostMs, count, failed }: SteadyResult) =>
    `${p99Ms.toFixed(0)} (p50 ${p50Ms.toFixed(0)}, most ${mostMs.toFixed(0)}; ${failed} of ${count + failed} failed)`;
  const seconds = `${(tookMs / 1000).toFixed(1)}, of them schema ${(schemaMs / 1000).toFixed(1)}`;
  return [
    [`${rows.toLocaleString('en')} rows, seconds`, seconds],
    ['rows a second after the schema', ((rows * 1000) / (tookMs - schemaMs)).toFixed(0)],
    ['CPU of the command in us a row', cpuMs === undefined ? '' : ((cpuMs * 1000) / rows).toFixed(1)],
    ['MB before and after', `${mb(bytes.before)}, ${mb(bytes.after)}`],
    ['single PUTs to the large account meanwhile, p99 in ms', times(puts)],
    ['the same after it', times(quiet.puts)],
    ['lists meanwhile, p99 in ms', times(lists)],
    ['the same after it', times(quiet.lists)],
  ]
    .filter(([, figure]) => figure !== '')
    .map(([what = '', figure = '']) => ({ name: `${name}: ${what}`, figure, goal: '' }));
}
