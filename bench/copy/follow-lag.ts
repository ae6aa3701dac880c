import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { CopyReader } from '../../src/operate/copy/copy-reader.ts';
import { openCopyReader } from '../../src/store/open-store.ts';
import type { Rounds } from '../list-requests.ts';
import { BINARY } from '../rig/data.ts';
import type { Databases } from '../rig/databases.ts';
import { openLoop } from '../rig/open-loop-load.ts';
import { makeOperatorKey, putRequests } from '../rig/recorder.ts';
import { type Finding, note } from '../rig/report.ts';
import { startService } from '../rig/server.ts';
import { percentileOf } from '../rig/statistics.ts';

const RECORDED_A_SECOND = 500;
const SAMPLE_EVERY_MS = 50;
const CONNECTIONS = 16;
const CALLER_TIMEOUT_MS = 10_000;
/** Longer than a round of any benchmark: what is behind would add up. */
const SECONDS_TO_ROUNDS = 10;

/** The number of changes of a database, at a time. */
interface Sample {
  atMs: number;
  source: number;
  target: number;
}

/** How long a change that a service has recorded is not in the target of a copy that follows it. */
export async function followLag(
  { store, create }: Databases,
  { secondsEach }: Pick<Rounds, 'secondsEach'>,
): Promise<Finding[]> {
  const [from, to] = [await create(), await create()];
  const operatorKey = await makeOperatorKey(from);
  const service = await startService(from, { env: { OPERATOR_PORT: '0' }, cores: '0,1' });
  const child = spawn(process.execPath, [BINARY, 'copy', '--from', from, '--to', to, '--follow', '--json'], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  let lagMs: number[];
  try {
    await once(child.stdout, 'data');
    child.stdout.resume();
    const seconds = secondsEach * SECONDS_TO_ROUNDS;
    note(`${store}: following a service that records ${RECORDED_A_SECOND} a second`);
    const readers = await Promise.all([readerOf(from), readerOf(to)]);
    const samples = sampleUntil(record(service.operatorUrl as string, operatorKey, seconds), readers);
    lagMs = lagsOf(await samples);
    for (const reader of readers) await reader.close();
  } finally {
    await service.stop();
    child.kill('SIGTERM');
  }
  const [status] = await exited;
  if (status !== 0) throw new Error('the copy that followed ended unequal');
  return [
    {
      name: `${store}: following a service that records ${RECORDED_A_SECOND} a second, behind by, s: median; most`,
      figure: `${(percentileOf(lagMs, 0.5) / 1000).toFixed(2)}; ${(Math.max(...lagMs) / 1000).toFixed(2)}`,
      goal: 'under 2',
    },
  ];
}

async function readerOf(url: string): Promise<CopyReader> {
  const opened = await openCopyReader(url);
  if (!('reader' in opened)) throw new Error('the database is not migrated');
  return opened.reader;
}

async function record(operatorUrl: string, operatorKey: string, seconds: number): Promise<void> {
  const { hostname, port } = new URL(operatorUrl);
  const requests = putRequests(operatorKey, '', RECORDED_A_SECOND * seconds);
  const result = await openLoop({
    host: hostname,
    port: Number(port),
    requests: requests.map(({ path, headers, body = '' }) => bytesOf(path, headers ?? {}, body)),
    perSecond: RECORDED_A_SECOND,
    seconds,
    connections: CONNECTIONS,
    callerTimeoutMs: CALLER_TIMEOUT_MS,
  });
  if (result.refused + result.failed > 0) throw new Error('recordings were refused');
}

function bytesOf(path: string, headers: Record<string, string>, body: string): string {
  const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}\r\n`);
  return `PUT ${path} HTTP/1.1\r\nHost: bench\r\n${lines.join('')}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** Counts the changes of both databases until work is done. */
async function sampleUntil(work: Promise<void>, [source, target]: CopyReader[]): Promise<Sample[]> {
  const samples: Sample[] = [];
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {});
  while (!isDone) {
    // The target first, so that nothing looks copied before it was recorded.
    const copied = await changesOf(target as CopyReader);
    samples.push({ atMs: performance.now(), source: await changesOf(source as CopyReader), target: copied });
    await delay(SAMPLE_EVERY_MS);
  }
  await done;
  return samples;
}

async function changesOf(reader: CopyReader): Promise<number> {
  const heads = await reader.listHeads('', 1000);
  return heads.reduce((sum, { head }) => sum + head, 0);
}

/** For each sample, since when the source has had more than the target has. */
function lagsOf(samples: readonly Sample[]): number[] {
  return samples.map(({ atMs, target }) => {
    const since = samples.find(({ source }) => source > target);
    return since === undefined || since.atMs > atMs ? 0 : atMs - since.atMs;
  });
}
