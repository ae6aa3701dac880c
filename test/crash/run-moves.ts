import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonLines } from '../rig/data/json-lines.ts';
import { makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { type PostgresServer, startPostgres } from '../rig/database/postgres-server.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { type RunOptions, type Served, start, startServe } from '../rig/service/process.ts';
import { createOperatorKey, RecordingLoad } from './recording-load.ts';

interface MovesOptions {
  moves: number;
  perSecond: number;
  seed: number;
  endsAtMs?: number | undefined;
  onProgress?: (moves: number) => void;
}

interface MovesResult {
  moves: number;
  kills: { copy: number; service: number; database: number };
  acknowledged: number;
  /** How many were acknowledged in a second before the copy ended. */
  perSecond: number[];
  /** Recordings that were refused while the source was moved, or something was down. */
  unavailable: number;
  /** How long nothing could be recorded, as each copy tells. */
  pausedMs: number[];
}

const MIN_ACKNOWLEDGED = 200;
const MAX_KILLS = 3;
/** A kill comes so long after the one before, or after the start of the copy, which takes some seconds. */
const MAX_BETWEEN_MS = 2500;

/**
 * Moves a service between SQLite and PostgreSQL while it records, in both directions: half of the moves go back to the database before. The
 * copy, the service and PostgreSQL are killed meanwhile. Each move ends with a service on the target.
 *
 * Throws: an AssertionError if the target lacks what was acknowledged, or has anything that was not sent.
 */
export async function runMoves({
  moves,
  perSecond,
  seed,
  endsAtMs,
  onProgress,
}: MovesOptions): Promise<MovesResult> {
  const folder = temporaryFolder();
  const server = await startPostgres();
  const result: MovesResult = {
    ...{ moves: 0, kills: { copy: 0, service: 0, database: 0 }, acknowledged: 0 },
    ...{ perSecond: [], unavailable: 0, pausedMs: [] },
  };
  const isTimeUp = () => endsAtMs !== undefined && performance.now() > endsAtMs;
  const move = new Move(folder.path, server, perSecond, result);
  try {
    await move.begin();
    while (result.moves < moves && !isTimeUp()) {
      await move.next(new Random(seed + result.moves));
      result.moves++;
      onProgress?.(result.moves);
    }
    await move.checkAll();
    return result;
  } finally {
    await move.end();
    await server.stop();
    folder.remove();
  }
}

async function execute(url: string, sql: string): Promise<void> {
  if (url.startsWith('postgres')) return void (await queryPostgres(url, sql));
  const db = new DatabaseSync(url.slice('sqlite:'.length), { timeout: GIVE_UP_MS });
  db.exec(sql);
  db.close();
}

class Move {
  readonly #folder: string;
  readonly #server: PostgresServer;
  readonly #perSecond: number;
  readonly #result: MovesResult;
  readonly #loads: RecordingLoad[] = [];
  #operatorKey = '';
  #source: string;
  #previous: string | undefined;
  #served: Served | undefined;
  #databases = 0;

  constructor(folder: string, server: PostgresServer, perSecond: number, result: MovesResult) {
    this.#folder = folder;
    this.#server = server;
    this.#perSecond = perSecond;
    this.#result = result;
    this.#source = `sqlite:${folder}/0.db`;
  }

  async begin(): Promise<void> {
    this.#operatorKey = await createOperatorKey(this.#options());
    this.#served = await startServe(this.#options());
  }

  async next(random: Random): Promise<void> {
    const served = this.#served as Served;
    const load = new RecordingLoad(`store-${this.#loads.length}`, this.#perSecond);
    this.#loads.push(load);
    load.start(served.operatorUrl, this.#operatorKey);
    await load.untilAcknowledged(random.integer(1, MIN_ACKNOWLEDGED));
    const target = await this.#target(random);
    const startedAtMs = performance.now();
    const before = load.acknowledged.size;
    await this.#copy(target, random);
    this.#result.perSecond.push(
      ((load.acknowledged.size - before) / (performance.now() - startedAtMs)) * 1000,
    );
    await load.stop();
    await this.#served?.stop('SIGKILL');
    this.#previous = this.#source;
    this.#source = target;
    this.#served = await startServe(this.#options());
    await load.check(this.#served, this.#operatorKey);
    this.#result.acknowledged += load.acknowledged.size;
    this.#result.unavailable += load.unavailable;
  }

  /** All that was ever acknowledged is in the last database. */
  async checkAll(): Promise<void> {
    for (const load of this.#loads) await load.check(this.#served as Served, this.#operatorKey);
  }

  async end(): Promise<void> {
    await this.#served?.stop('SIGKILL');
  }

  #options(): RunOptions {
    const port = this.#served === undefined ? '0' : new URL(this.#served.operatorUrl).port;
    // A recording that waits for a database that was killed ends soon.
    const own = { OPERATOR_PORT: port, RATE_LIMIT: 'off', REQUEST_TIMEOUT: '3000' };
    return { cwd: this.#folder, env: { DATABASE_URL: this.#source, ...own } };
  }

  /** A new database of the other kind, or the one before. */
  async #target(random: Random): Promise<string> {
    if (this.#previous !== undefined && random.chance(0.5)) {
      // Services that were killed there count for a minute.
      await execute(this.#previous, 'DELETE FROM instances');
      return this.#previous;
    }
    return this.#source.startsWith('sqlite')
      ? makePostgresDatabase(this.#server.url)
      : `sqlite:${this.#folder}/${++this.#databases}.db`;
  }

  /** Runs the copy until it ends, and kills something at random moments meanwhile. */
  async #copy(target: string, random: Random): Promise<void> {
    for (let kills = random.integer(0, MAX_KILLS); ; kills--) {
      const follow = random.chance(0.3) ? ['--follow'] : [];
      const args = ['copy', '--from', this.#source, '--to', target, '--json', ...follow];
      const child = start(args, { cwd: this.#folder });
      const exited = once(child, 'exit');
      const printed = Promise.all(
        [child.stdout, child.stderr].map((one) => text(one as NodeJS.ReadableStream)),
      );
      if (kills > 0) {
        await Promise.race([exited, delay(random.integer(0, MAX_BETWEEN_MS))]);
        await this.#kill(random, () => child.kill('SIGKILL'));
      }
      if (follow.length > 0) {
        await Promise.race([exited, delay(random.integer(0, MAX_BETWEEN_MS))]);
        child.kill('SIGINT');
      }
      const [status] = await exited;
      const [stdout = '', stderr = ''] = await printed;
      if (status === 0) {
        const end = jsonLines(stdout).at(-1) as { seconds: { paused: number | null } };
        if (end.seconds.paused !== null) this.#result.pausedMs.push(end.seconds.paused * 1000);
        return;
      }
      assert.ok(kills > 0 || follow.length > 0 || /cut off/.test(stderr), stdout + stderr);
    }
  }

  async #kill(random: Random, killCopy: () => void): Promise<void> {
    const { kills } = this.#result;
    const what = random.pick(['copy', 'service', 'database'] as const);
    kills[what]++;
    if (what === 'copy') killCopy();
    if (what === 'database') {
      await this.#server.kill();
      await delay(random.integer(0, 300));
      await this.#server.start();
    }
    if (what === 'service') {
      const options = this.#options();
      await this.#served?.stop('SIGKILL');
      // A source that is marked already serves nobody.
      this.#served = await startServe(options).catch(() => this.#served);
    }
  }
}
