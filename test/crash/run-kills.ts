import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { firstForbidden, noteTraces, readAll, readNotes, type Trace } from '../changes/trace.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type Served, startServe } from '../rig/service/process.ts';
import { FeedReader } from './feed-reader.ts';
import { createAccountKey, createOperatorKey, RecordingLoad, until } from './recording-load.ts';

interface KillsOptions {
  kills: number;
  seed: number;
  endsAtMs?: number | undefined;
  onProgress?: (kills: number) => void;
}

export interface KillsResult {
  kills: number;
  acknowledged: number;
  /** Listed transactions, with those whose acknowledgement was lost. */
  rows: number;
  /** Changes that were read before the kills. */
  changes: number;
  cutOff: number;
  unavailable: number;
  /** The time from each restart to the first success. */
  recoveredMs: number[];
}

/** A service is killed after a random number of acknowledgements, at most this many, */
const MAX_ACKNOWLEDGED = 200;
/** and then a random time, at most this long, so that kills interrupt every step of a recording. */
const MAX_LATER_MS = 5;

const emptyResult = (): KillsResult => ({
  kills: 0,
  acknowledged: 0,
  rows: 0,
  changes: 0,
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

const isTimeUp = ({ endsAtMs }: KillsOptions) => endsAtMs !== undefined && performance.now() > endsAtMs;

/**
 * Kills services on SQLite while they record, restarts them and checks every acknowledged transaction. Runs one service
 * with its own database on each core.
 *
 * Throws: an AssertionError if a transaction or a change is lost, doubled, changed or renumbered.
 */
export async function runServiceKills(options: KillsOptions): Promise<KillsResult> {
  const result = emptyResult();
  let begun = 0;
  const takeKill = () => (begun < options.kills && !isTimeUp(options) ? ++begun : null);
  const services = Math.min(availableParallelism(), options.kills);
  const ends = await Promise.allSettled(
    Array.from({ length: services }, () => killOneService(takeKill, result, options)),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return result;
}

/** Waits for the random moment of a kill. */
async function untilKill(random: Random, load: RecordingLoad): Promise<void> {
  await load.untilAcknowledged(random.integer(0, MAX_ACKNOWLEDGED));
  await delay(random.integer(0, MAX_LATER_MS));
}

/** Records through the service, and reads the changes meanwhile. */
async function startLoad(served: Served, operatorKey: string, kill: number) {
  const load = new RecordingLoad(`store-${kill}`);
  const feed = new FeedReader(await createAccountKey(served, operatorKey, load.account));
  load.start(served.operatorUrl, operatorKey);
  feed.start(served.url);
  return { load, feed };
}

/** Kills one service again and again while `takeKill` returns numbers. */
async function killOneService(
  takeKill: () => number | null,
  result: KillsResult,
  { seed, onProgress }: KillsOptions,
): Promise<void> {
  const folder = temporaryFolder();
  const runOptions = { cwd: folder.path, env: { OPERATOR_PORT: '0' } };
  const operatorKey = await createOperatorKey(runOptions);
  const feeds: FeedReader[] = [];
  let served = await startServe(runOptions);
  try {
    for (let kill = takeKill(); kill !== null; kill = takeKill()) {
      const { load, feed } = await startLoad(served, operatorKey, kill);
      feeds.push(feed);
      await untilKill(new Random(seed + kill), load);
      await served.stop('SIGKILL');
      await Promise.all([load.stop(), feed.stop()]);
      result.changes += feed.size;
      const beganAtMs = performance.now();
      served = await startServe(runOptions);
      await until(async () => (await fetch(`${served.url}/readyz`)).status === 200);
      result.recoveredMs.push(performance.now() - beganAtMs);
      count(result, load, await load.check(served, operatorKey, feed));
      onProgress?.(result.kills);
    }
    for (const feed of feeds) await feed.check(served.url);
    const db = new DatabaseSync(`${folder.path}/data/transactions.db`, { timeout: GIVE_UP_MS });
    const integrity = db.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
    db.close();
    if (integrity.integrity_check !== 'ok') throw new Error(integrity.integrity_check);
  } finally {
    await served.stop();
    folder.remove();
  }
}

async function withClient(url: string, use: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

/** What the killed database notes of its transactions is a behaviour of the model of numbering. */
async function checkTraces(client: pg.Client): Promise<void> {
  const traces = new Map<string, Trace>();
  await readAll(client, traces);
  await readNotes(client, traces);
  assert.ok([...traces.values()].some(({ steps }) => steps.length > 0));
  for (const trace of traces.values()) assert.equal(firstForbidden(trace), undefined);
}

/**
 * Kills and restarts PostgreSQL under a running service that records.
 *
 * Throws: an AssertionError if a transaction or a change is lost, doubled, changed or renumbered, a refusal is not 503, or the model of
 * numbering does not allow what happened.
 */
export async function runDatabaseKills(options: KillsOptions): Promise<KillsResult> {
  const folder = temporaryFolder();
  const server = await startPostgres();
  const result = emptyResult();
  try {
    const url = `${server.url}/postgres`;
    const runOptions = { cwd: folder.path, env: { DATABASE_URL: url, OPERATOR_PORT: '0' } };
    const operatorKey = await createOperatorKey(runOptions);
    const served = await startServe(runOptions);
    await withClient(url, noteTraces);
    const feeds: FeedReader[] = [];
    try {
      for (let kill = 1; kill <= options.kills && !isTimeUp(options); kill++) {
        const { load, feed } = await startLoad(served, operatorKey, kill);
        feeds.push(feed);
        await untilKill(new Random(options.seed + kill), load);
        // What was read before the kill is compared with what is read after it.
        await until(() => feed.size > 1);
        result.changes += feed.size;
        await server.kill();
        await until(() => load.unavailable > 0);
        await server.start();
        const { size } = load.acknowledged;
        result.recoveredMs.push(await until(() => load.acknowledged.size > size));
        await Promise.all([load.stop(), feed.stop()]);
        await until(async () => (await fetch(`${served.url}/readyz`)).status === 200);
        count(result, load, await load.check(served, operatorKey, feed));
        options.onProgress?.(kill);
      }
      for (const feed of feeds) await feed.check(served.url);
      await withClient(url, checkTraces);
      return result;
    } finally {
      await served.stop();
    }
  } finally {
    await server.stop();
    folder.remove();
  }
}
