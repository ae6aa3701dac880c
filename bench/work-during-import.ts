import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/rig/postgres-server.ts';
import { type Rounds, serviceRequests } from './list-requests.ts';
import { BINARY, CACHE, type DataSize, makeKeys, rowsOf, TINY, writeCsv } from './rig/data.ts';
import type { OpenLoopResult } from './rig/open-loop.ts';
import { openLoop } from './rig/open-loop-load.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { shown, spreadOf } from './rig/statistics.ts';

const PUTS_A_SECOND = 20;
const LISTS_A_SECOND = 100;
const CONNECTIONS = 64;
const CALLER_TIMEOUT_MS = 10_000;
const KEYS_EVERY_MS = 200;

/** How long other work takes during an import: single recordings, lists, keys, and the start of another service. */
export async function workDuringImport(size: DataSize, { secondsEach }: Rounds): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}work-during-import-`);
  const postgres = await startPostgres({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  try {
    await writeCsv(TINY, createWriteStream(`${folder}/before.csv`));
    await writeCsv(size, createWriteStream(`${folder}/import.csv`));
    await queryPostgresOnce(`${postgres.url}/postgres`, 'CREATE DATABASE work_during_import');
    const findings: Finding[] = [];
    for (const [name, databaseUrl] of [
      ['SQLite', `sqlite:${folder}/transactions.db`],
      ['PostgreSQL', `${postgres.url}/work_during_import`],
    ] as const) {
      await importFile(databaseUrl, `${folder}/before.csv`);
      const load = await startLoad(databaseUrl, secondsEach);
      try {
        note(`${name}: lists and recordings without an import`);
        await Promise.all([load.put(), load.list()]);
        const [quietPuts, quietLists] = await Promise.all([load.put(), load.list()]);
        note(`${name}: lists and recordings during an import of ${rowsOf(size).toLocaleString('en')} rows`);
        const during = await duringImport(databaseUrl, `${folder}/import.csv`, load);
        findings.push(...findingsOf(name, { ...during, quietPuts, quietLists }));
      } finally {
        await load.service.stop();
      }
    }
    return findings;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

/** A service, and the load on it: `put` and `list` send requests at a fixed rate for a round. */
async function startLoad(databaseUrl: string, secondsEach: number) {
  const lists = serviceRequests(TINY, await makeKeys(databaseUrl, TINY)).map(({ path, headers }) =>
    bytesOf('GET', path, headers),
  );
  const operatorKey = await makeOperatorKey(databaseUrl);
  const service = await startService(databaseUrl, { env: { OPERATOR_PORT: '0' }, cores: '0,1' });
  let puts = 0;
  return {
    service,
    put: () => {
      const requests = putRequests(operatorKey, `${puts++}-`, PUTS_A_SECOND * secondsEach);
      const bytes = requests.map(({ path, headers, body }) => bytesOf('PUT', path, headers, body));
      return offer(service.operatorUrl, bytes, PUTS_A_SECOND, secondsEach);
    },
    list: () => offer(service.url, lists, LISTS_A_SECOND, secondsEach),
    makeAndRevokeKey: () => makeAndRevokeKey(service, operatorKey),
  };
}

interface DuringImport {
  puts: OpenLoopResult[];
  lists: OpenLoopResult[];
  keyMs: number[];
  startMs: number[];
}

async function duringImport(
  databaseUrl: string,
  csv: string,
  load: Awaited<ReturnType<typeof startLoad>>,
): Promise<DuringImport> {
  let isImporting = true;
  const imported = importFile(databaseUrl, csv).finally(() => {
    isImporting = false;
  });
  const found: DuringImport = { puts: [], lists: [], keyMs: [], startMs: [] };
  const repeat = async (work: () => Promise<void>) => {
    while (isImporting) await work();
  };
  await Promise.all([
    repeat(async () => void found.puts.push(await load.put())),
    repeat(async () => void found.lists.push(await load.list())),
    repeat(async () => {
      found.keyMs.push(...(await load.makeAndRevokeKey()));
      await delay(KEYS_EVERY_MS);
    }),
    startService(databaseUrl, { cores: '0,1' }).then((another) => {
      found.startMs.push(another.startedWithinMs);
      return another.stop();
    }),
  ]);
  await imported;
  return found;
}

function findingsOf(
  store: string,
  found: DuringImport & { quietPuts: OpenLoopResult; quietLists: OpenLoopResult },
): Finding[] {
  const { puts, lists, keyMs, startMs, quietPuts, quietLists } = found;
  const unsuccessful = puts.reduce((sum, one) => sum + one.refused + one.failed + one.gaveUp, 0);
  const putP99 = shown(spreadOf(puts.map(({ goodP99Ms }) => goodP99Ms)), 0);
  const listRatio = shown(spreadOf(lists.map(({ goodP99Ms }) => goodP99Ms / quietLists.goodP99Ms)));
  return [
    [`${store}: single PUTs during an import, p99 in ms`, putP99, 'at most 250'],
    [`${store}: single PUTs without an import, p99 in ms`, quietPuts.goodP99Ms.toFixed(0), ''],
    [`${store}: PUTs refused or failed during an import`, String(unsuccessful), '0'],
    [`${store}: lists during an import, p99 relative to without`, listRatio, 'at most 2'],
    [`${store}: making or revoking a key during an import, ms`, shown(spreadOf(keyMs), 0), 'at most 1000'],
    [`${store}: starting a service during an import, ms`, shown(spreadOf(startMs), 0), ''],
  ].map(([name = '', figure = '', goal = '']) => ({ name, figure, goal }));
}

async function importFile(databaseUrl: string, csv: string): Promise<void> {
  const child = spawn(process.execPath, [BINARY, 'import', csv], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl },
    stdio: 'ignore',
  });
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error('the import failed');
}

function bytesOf(method: string, path: string, headers: Record<string, string> = {}, body = ''): string {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}${length}\r\n${body}`;
}

function offer(
  url: string | undefined,
  requests: readonly string[],
  perSecond: number,
  seconds: number,
): Promise<OpenLoopResult> {
  const { hostname, port } = new URL(url as string);
  return openLoop({
    host: hostname,
    port: Number(port),
    requests,
    perSecond,
    seconds,
    connections: CONNECTIONS,
    callerTimeoutMs: CALLER_TIMEOUT_MS,
  });
}

async function makeAndRevokeKey({ operatorUrl }: MeasuredServer, operatorKey: string): Promise<number[]> {
  const send = async (method: string, path: string, body?: string) => {
    const startedAtMs = performance.now();
    const response = await fetch(`${operatorUrl}/v1/accounts/store-1/keys${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status}: ${text}`);
    return { tookMs: performance.now() - startedAtMs, text };
  };
  const made = await send('POST', '', '{}');
  const revoked = await send('DELETE', `/${JSON.parse(made.text).id}`);
  return [made.tookMs, revoked.tookMs];
}
