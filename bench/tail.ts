import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../test/rig/postgres-server.ts';
import { CONNECTIONS, minimalRequests, type Rounds, serviceRequests } from './list-requests.ts';
import { importInto } from './postgres.ts';
import { type DataSize, databaseOf, makeKeys, TINY } from './rig/data.ts';
import { type LoadRequest, load } from './rig/load.ts';
import type { OpenLoopWindow } from './rig/open-loop.ts';
import { openLoop } from './rig/open-loop-load.ts';
import { queryPostgresOnce } from './rig/query-postgres.ts';
import { type Finding, note } from './rig/report.ts';
import { type MeasuredServer, startMinimal, startPeer, startService } from './rig/server.ts';
import { ratioOf, shown, spreadOf } from './rig/statistics.ts';

const SHARE_OF_THE_MOST = 0.7;
const STEADY_AFTER_SECONDS = 60;
const CALLER_TIMEOUT_MS = 10_000;
/** More than are ever in flight at this rate, so that every request is sent. */
const MANY_CONNECTIONS = 1000;
const MINIMAL_ON_POSTGRES = fileURLToPath(new URL('./peers/minimal.js', import.meta.url));

/** Parts of the time from the start to the first window, in seconds. */
const EARLY = [
  [0, 1],
  [1, 10],
  [10, STEADY_AFTER_SECONDS],
] as const;

/** What is measured: the service or a minimal server, and its requests. */
interface Subject {
  start(): Promise<MeasuredServer>;
  requests: LoadRequest[];
}

interface Seconds {
  /** From the start of the service to the first window. */
  warmUp: number;
  window: number;
}

/**
 * Times of lists at 70 % of the highest rate, in an open loop: the first seconds after the start of the service, and
 * windows from 60 seconds on, in turns with a minimal server under the same load.
 */
export async function tail(size: DataSize, { rounds, secondsEach }: Rounds): Promise<Finding[]> {
  const seconds =
    size === TINY
      ? { warmUp: 2 * secondsEach, window: secondsEach }
      : { warmUp: STEADY_AFTER_SECONDS, window: 3 * secondsEach };
  const embedded = await databaseOf(size);
  const findings = await tailOf(
    'SQLite',
    {
      start: () => startService(`sqlite:${embedded.path}`),
      requests: serviceRequests(size, embedded.keys),
    },
    { start: () => startMinimal(embedded.path), requests: minimalRequests(size) },
    rounds,
    seconds,
  );
  return [...findings, ...(await tailOnPostgres(size, rounds, seconds))];
}

async function tailOnPostgres(size: DataSize, rounds: number, seconds: Seconds): Promise<Finding[]> {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  try {
    const url = `${postgres.url}/tail`;
    await queryPostgresOnce(`${postgres.url}/postgres`, 'CREATE DATABASE tail');
    await importInto(url, size);
    await queryPostgresOnce(url, 'VACUUM (ANALYZE) transactions');
    const [postmaster = ''] = readFileSync(join(postgres.folder, 'data', 'postmaster.pid'), 'utf8').split(
      '\n',
    );
    execFileSync('taskset', ['-acp', '0', postmaster], { stdio: 'ignore' });
    const requests = serviceRequests(size, await makeKeys(url, size));
    const service = { start: () => startService(url), requests };
    const minimal = { start: () => startPeer(MINIMAL_ON_POSTGRES, url), requests: minimalRequests(size) };
    return await tailOf('PostgreSQL', service, minimal, rounds, seconds);
  } finally {
    await postgres.stop();
  }
}

async function tailOf(
  store: string,
  service: Subject,
  minimal: Subject,
  rounds: number,
  { warmUp, window }: Seconds,
): Promise<Finding[]> {
  note(`${store}: the highest rate of lists`);
  const perSecond = SHARE_OF_THE_MOST * (await mostPerSecond(service, rounds, window));
  const measured = await service.start();
  const bare = await minimal.start();
  try {
    note(`${store}: ${warmUp} s at ${perSecond.toFixed(0)} lists a second`);
    const first = await windowsOf(measured, service, perSecond, warmUp, Math.min(1, window));
    if (rounds > 1) await windowsOf(bare, minimal, perSecond, window, window);
    const found: Record<'service' | 'minimal', OpenLoopWindow[]> = { service: [], minimal: [] };
    for (let round = 0; round < rounds; round++) {
      note(`${store}: p99 of lists, round ${round + 1} of ${rounds}`);
      found.service.push(await steadyWindow(measured, service, perSecond, window));
      found.minimal.push(await steadyWindow(bare, minimal, perSecond, window));
    }
    return findingsOf(store, perSecond, first, found);
  } finally {
    await measured.stop();
    await bare.stop();
  }
}

/** The rate of a closed loop, on a service of its own. */
async function mostPerSecond({ start, requests }: Subject, rounds: number, seconds: number): Promise<number> {
  const server = await start();
  try {
    const plan = { connections: CONNECTIONS, seconds };
    if (rounds > 1) await load(server.url, requests, plan);
    return (await load(server.url, requests, plan)).perSecond;
  } finally {
    await server.stop();
  }
}

async function windowsOf(
  { url }: MeasuredServer,
  { requests }: Subject,
  perSecond: number,
  seconds: number,
  windowSeconds: number,
): Promise<OpenLoopWindow[]> {
  const { hostname, port } = new URL(url);
  const { windows, offered, good } = await openLoop({
    host: hostname,
    port: Number(port),
    requests: requests.map(bytesOf),
    perSecond,
    seconds,
    windowSeconds,
    connections: MANY_CONNECTIONS,
    callerTimeoutMs: CALLER_TIMEOUT_MS,
  });
  if (good < offered) note(`${offered - good} of ${offered} requests were not answered with 200`);
  return windows;
}

/** The second of two windows: in the first one, the load generator compiles its code and opens its connections. */
async function steadyWindow(server: MeasuredServer, subject: Subject, perSecond: number, seconds: number) {
  const windows = await windowsOf(server, subject, perSecond, 2 * seconds, seconds);
  return windows[1] as OpenLoopWindow;
}

const bytesOf = ({ path, headers = {} }: LoadRequest) =>
  `GET ${path} HTTP/1.1\r\nHost: bench\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;

function findingsOf(
  store: string,
  perSecond: number,
  first: readonly OpenLoopWindow[],
  { service, minimal }: Record<'service' | 'minimal', OpenLoopWindow[]>,
): Finding[] {
  const p50 = (windows: readonly OpenLoopWindow[]) => windows.map(({ p50Ms }) => p50Ms);
  const p99 = (windows: readonly OpenLoopWindow[]) => windows.map(({ p99Ms }) => p99Ms);
  const line = (name: string, figure: string, goal = '') => ({
    name: `${store}, ${perSecond.toFixed(0)} lists a second: ${name}`,
    figure,
    goal,
  });
  return [
    line('p99 to p50, from 60 s after the start', shown(ratioOf(p99(service), p50(service))), 'at most 3'),
    line('p99 to p50 of the minimal server', shown(ratioOf(p99(minimal), p50(minimal)))),
    line('p50, ms', shown(spreadOf(p50(service)))),
    line('p99, ms', shown(spreadOf(p99(service)))),
    line('p50 of the minimal server, ms', shown(spreadOf(p50(minimal)))),
    line('p99 of the minimal server, ms', shown(spreadOf(p99(minimal)))),
    ...EARLY.map(([from, to]) => ({ from, to, windows: first.slice(from, to) }))
      .filter(({ windows }) => windows.length > 0)
      .map(({ from, to, windows }) =>
        line(
          `p99 of each second from ${from} s to ${to} s after the start, ms`,
          shown(spreadOf(p99(windows))),
        ),
      ),
  ];
}
