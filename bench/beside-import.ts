import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../test/rig/postgres-server.ts';
import { type Rounds, serviceRequests } from './list-requests.ts';
import { askPostgresOnce } from './rig/ask-postgres.ts';
import { BINARY, CACHE, type DataSize, makeKeys, rowsOf, TINY, writeCsv } from './rig/data.ts';
import type { OpenLoopResult } from './rig/open-loop.ts';
import { openLoop } from './rig/open-loop-load.ts';
import { makeOperatorKey, putRequests } from './rig/recorder.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startService } from './rig/server.ts';
import { shown, spreadOf } from './rig/statistics.ts';

const PUTS_A_SECOND = 20;
const LISTS_A_SECOND = 100;
const CONNECTIONS = 64;
const PATIENCE_MS = 10_000;
const KEYS_EVERY_MS = 200;

/** What others wait for beside an import: single recordings, lists, keys, and the start of another service. */
export async function besideImport(size: DataSize, rounds: Rounds): Promise<Finding[]> {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(`${CACHE}beside-import-`);
  const postgres = await startPostgres({ settings: { shared_buffers: '512MB', max_wal_size: '4GB' } });
  try {
    await writeCsv(TINY, createWriteStream(`${folder}/before.csv`));
    await writeCsv(size, createWriteStream(`${folder}/import.csv`));
    await askPostgresOnce(`${postgres.url}/postgres`, 'CREATE DATABASE beside_import');
    return [
      ...(await beside('SQLite', `sqlite:${folder}/transactions.db`, folder, size, rounds)),
      ...(await beside('PostgreSQL', `${postgres.url}/beside_import`, folder, size, rounds)),
    ];
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true });
  }
}

async function beside(
  name: string,
  databaseUrl: string,
  folder: string,
  size: DataSize,
  { secondsEach }: Rounds,
): Promise<Finding[]> {
  await importing(databaseUrl, `${folder}/before.csv`);
  const lists = serviceRequests(TINY, await makeKeys(databaseUrl, TINY)).map(({ path, headers }) =>
    bytesOf('GET', path, headers),
  );
  const operatorKey = await makeOperatorKey(databaseUrl);
  const service = await startService(databaseUrl, { env: { OPERATOR_PORT: '0' }, cores: '0,1' });
  let puts = 0;
  const put = () => {
    const requests = putRequests(operatorKey, `${puts++}-`, PUTS_A_SECOND * secondsEach);
    const bytes = requests.map(({ path, headers, body }) => bytesOf('PUT', path, headers, body));
    return offer(service.operatorUrl, bytes, PUTS_A_SECOND, secondsEach);
  };
  const list = () => offer(service.url, lists, LISTS_A_SECOND, secondsEach);
  try {
    note(`${name}: lists and recordings without an import`);
    await Promise.all([put(), list()]);
    const [quietPuts, quiet] = await Promise.all([put(), list()]);

    note(`${name}: the same beside an import of ${rowsOf(size).toLocaleString('en')} rows`);
    let isImporting = true;
    const imported = importing(databaseUrl, `${folder}/import.csv`).finally(() => {
      isImporting = false;
    });
    const putResults: OpenLoopResult[] = [];
    const listResults: OpenLoopResult[] = [];
    const keyMs: number[] = [];
    const whileImporting = async (work: () => Promise<void>) => {
      while (isImporting) await work();
    };
    const startedWithinMs: number[] = [];
    await Promise.all([
      whileImporting(async () => void putResults.push(await put())),
      whileImporting(async () => void listResults.push(await list())),
      whileImporting(async () => {
        keyMs.push(...(await makeAndRevokeKey(service, operatorKey)));
        await delay(KEYS_EVERY_MS);
      }),
      startService(databaseUrl, { cores: '0,1' }).then((another) => {
        startedWithinMs.push(another.startedWithinMs);
        return another.stop();
      }),
    ]);
    await imported;
    const refused = putResults.reduce(
      (sum, { refused: one, failed, gaveUp }) => sum + one + failed + gaveUp,
      0,
    );
    const p99 = (results: readonly OpenLoopResult[]) => spreadOf(results.map(({ goodP99Ms }) => goodP99Ms));
    return [
      finding(`${name}: single PUTs beside an import, p99 in ms`, shown(p99(putResults), 0), 'at most 250'),
      finding(`${name}: the same without an import`, quietPuts.goodP99Ms.toFixed(0), ''),
      finding(`${name}: PUTs beside an import that were refused or failed`, String(refused), '0'),
      finding(
        `${name}: p99 of lists beside an import to without`,
        shown(spreadOf(listResults.map(({ goodP99Ms }) => goodP99Ms / quiet.goodP99Ms))),
        'at most 2',
      ),
      finding(
        `${name}: a key made or revoked beside an import, ms`,
        shown(spreadOf(keyMs), 0),
        'at most 1000',
      ),
      finding(`${name}: a service started beside an import, ms`, shown(spreadOf(startedWithinMs), 0), ''),
    ];
  } finally {
    await service.stop();
  }
}

const finding = (question: string, figure: string, goal: string): Finding => ({ question, figure, goal });

async function importing(databaseUrl: string, csv: string): Promise<void> {
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
    patienceMs: PATIENCE_MS,
  });
}

async function makeAndRevokeKey({ operatorUrl }: MeasuredServer, operatorKey: string): Promise<number[]> {
  const ask = async (method: string, path: string, body?: string) => {
    const startedAtMs = performance.now();
    const answer = await fetch(`${operatorUrl}/v1/accounts/someone/keys${path}`, {
      method,
      headers: {
        authorization: `Bearer ${operatorKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.status}: ${text}`);
    return { tookMs: performance.now() - startedAtMs, text };
  };
  const made = await ask('POST', '', '{}');
  const revoked = await ask('DELETE', `/${JSON.parse(made.text).id}`);
  return [made.tookMs, revoked.tookMs];
}
