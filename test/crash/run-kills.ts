import { availableParallelism } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres } from '../rig/postgres-server.ts';
import { startServe } from '../rig/process.ts';
import { Random } from '../rig/random.ts';
import { seed } from '../rig/seed.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { makeOperatorKey, RecordingLoad, until } from './recording-load.ts';

export interface KillsOptions {
  kills: number;
  endsAtMs?: number | undefined;
  onProgress?: (kills: number) => void;
}

export interface KillsResult {
  kills: number;
  acknowledged: number;
  /** Found in the lists, those included whose answer was cut off. */
  rows: number;
  cutOff: number;
  unavailable: number;
  /** From the start of what was killed to the first right answer. */
  recoveredMs: number[];
}

/** A kill comes after so many acknowledgements at most. */
const MOST_ACKNOWLEDGED = 200;
/** And then so much later at most, so that it meets every step of recording. */
const MOST_LATER_MS = 5;

const nothingYet = (): KillsResult => ({
  kills: 0,
  acknowledged: 0,
  rows: 0,
  cutOff: 0,
  unavailable: 0,
  recoveredMs: [],
});

function count(result: KillsResult, load: RecordingLoad, rows: number): void {
  result.kills++;
  result.acknowledged += load.acknowledged.size;
  result.rows += rows;
  result.cutOff += load.cutOff;
  result.unavailable += load.unavailable;
}

const isTime = ({ endsAtMs }: KillsOptions) => endsAtMs !== undefined && performance.now() > endsAtMs;

/**
 * Kills services on SQLite while they record, each after a random number of acknowledgements, starts each again and
 * looks for what it acknowledged. One service for each core, each with a database of its own.
 *
 * Throws: an assertion where something is gone, doubled or other than it was sent.
 */
export async function runServiceKills(options: KillsOptions): Promise<KillsResult> {
  const result = nothingYet();
  let begun = 0;
  const takeKill = () => (begun < options.kills && !isTime(options) ? ++begun : null);
  const services = Math.min(availableParallelism(), options.kills);
  const ends = await Promise.allSettled(
    Array.from({ length: services }, () => killOneService(takeKill, result, options.onProgress)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return result;
}

/** Lets a load run until the moment that the seed decides for this kill. */
async function untilMoment(kill: number, load: RecordingLoad): Promise<void> {
  const random = new Random(seed + kill);
  await load.untilAcknowledged(random.integer(0, MOST_ACKNOWLEDGED));
  await delay(random.integer(0, MOST_LATER_MS));
}

/** Kills one service for each number that is taken, until there are none. */
async function killOneService(
  takeKill: () => number | null,
  result: KillsResult,
  onProgress: KillsOptions['onProgress'],
): Promise<void> {
  const folder = temporaryFolder();
  const running = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  const operatorKey = await makeOperatorKey(running);
  let served = await startServe(running);
  try {
    for (let kill = takeKill(); kill !== null; kill = takeKill()) {
      const load = new RecordingLoad(`store-${kill}`);
      load.start(served.operatorUrl, operatorKey);
      await untilMoment(kill, load);
      await served.stop('SIGKILL');
      await load.stop();
      const beganAtMs = performance.now();
      served = await startServe(running);
      await until(async () => (await fetch(`${served.url}/readyz`)).status === 200);
      result.recoveredMs.push(performance.now() - beganAtMs);
      count(result, load, await load.check(served, operatorKey));
      onProgress?.(result.kills);
    }
    const db = new DatabaseSync(`${folder.path}/data/transactions.db`, { timeout: 5000 });
    const integrity = db.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
    db.close();
    if (integrity.integrity_check !== 'ok') throw new Error(integrity.integrity_check);
  } finally {
    await served.stop();
    folder.remove();
  }
}

/**
 * Kills PostgreSQL under a service that records, each time after a random number of acknowledgements, and starts it
 * again; the service stays.
 *
 * Throws: an assertion where something is gone, doubled or other than it was sent, or answered otherwise than with 503.
 */
export async function runDatabaseKills(options: KillsOptions): Promise<KillsResult> {
  const folder = temporaryFolder();
  const server = await startPostgres();
  const result = nothingYet();
  try {
    const env = { DATABASE_URL: `${server.url}/postgres`, OPERATOR_PORT: '0' };
    const running = { cwd: folder.path, env };
    const operatorKey = await makeOperatorKey(running);
    const served = await startServe(running);
    try {
      for (let kill = 1; kill <= options.kills && !isTime(options); kill++) {
        const load = new RecordingLoad(`store-${kill}`);
        load.start(served.operatorUrl, operatorKey);
        await untilMoment(kill, load);
        await server.kill();
        await until(() => load.unavailable > 0);
        await server.start();
        const { size } = load.acknowledged;
        result.recoveredMs.push(await until(() => load.acknowledged.size > size));
        await load.stop();
        await until(async () => (await fetch(`${served.url}/readyz`)).status === 200);
        count(result, load, await load.check(served, operatorKey));
        options.onProgress?.(kill);
      }
      return result;
    } finally {
      await served.stop();
    }
  } finally {
    await server.stop();
    folder.remove();
  }
}
