import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openCopyReader } from '../../src/store/open-store.ts';
import { csvFile, csvLine } from '../rig/data/csv.ts';
import { countOtherSessions, makePostgresDatabase, queryPostgres } from '../rig/database/postgres.ts';
import { startPostgres } from '../rig/database/postgres-server.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { importCsv, start } from '../rig/service/process.ts';
import { assertRowsAtHeads, type Contents, changesOf, contentsOf } from '../rig/store/copy.ts';
import { until } from './recording-load.ts';

/** Enough for some transactions of the database of a large account, and some with many small ones. */
const LARGE_ROWS = 6000;
const SMALL_ACCOUNTS = 100;
/** How often copies are cut by the end of their connections, and by the end of the server. */
const CUTS = inTier({ short: 2, long: 4 });
const SERVER_KILLS = inTier({ short: 1, long: 4 });
/** How long after a count of changes is reached a copy is cut: some of its transactions of the database. */
const CUT_WITHIN_MS = 80;

/** Ends the connections of a copy. Resolves when the database can be used again. */
type Cut = (target: string) => Promise<void>;

function paymentsOf(status: 'pending' | 'completed'): string {
  const lines: string[] = [];
  const add = (account: string, count: number) => {
    for (let index = 0; index < count; index++) {
      const createdAt = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
      // Every third one is completed later, and every fourth one at once.
      if (status === 'completed' && index % 3 !== 0) continue;
      const isFinal = status === 'completed' || index % 4 === 1;
      lines.push(
        csvLine({
          account,
          reference: `pay_${index}`,
          status: isFinal ? 'completed' : 'pending',
          createdAt,
          paidAt: isFinal ? createdAt : '',
        }),
      );
    }
  };
  add('large', LARGE_ROWS);
  for (let index = 0; index < SMALL_ACCOUNTS; index++) add(`small-${index}`, 5);
  return csvFile(...lines);
}

/** How many changes a target has; 0 while it can't be read, or has no tables yet. */
async function changesIn(target: string): Promise<number> {
  const counted = queryPostgres(target, 'SELECT coalesce(sum(head_sequence), 0)::int AS count FROM accounts');
  return counted.then(
    ([row]) => Number(row?.['count']),
    () => 0,
  );
}

/** The contents of a target and its mark. Undefined if the copy was cut before it had migrated it. */
async function stateOf(target: string) {
  await until(async () => (await countOtherSessions(target)) === 0);
  const opened = await openCopyReader(target);
  if (!('reader' in opened)) return undefined;
  const mark = await opened.reader.readMark();
  await opened.reader.close();
  return { contents: await contentsOf(target), mark };
}

describe('a copy whose connections to PostgreSQL are cut at random points is resumed, and loses and repeats nothing', {
  timeout: 900_000,
}, () => {
  const folder = temporaryFolder();
  const source = `sqlite:${folder.path}/source.db`;
  const random = new Random(seed);
  let contents: Contents;
  let total: number;

  before(async () => {
    const options = { cwd: folder.path, env: { DATABASE_URL: source } };
    for (const status of ['pending', 'completed'] as const) await importCsv(paymentsOf(status), options);
    contents = await contentsOf(source);
    total = changesOf(contents);
  });
  after(folder.remove);

  /** Cuts copies until they were cut often enough: the last one can end before its next cut. */
  async function cutCopies(wanted: number, makeTarget: () => Promise<string>, cut: Cut): Promise<void> {
    for (let cuts = 0; cuts < wanted; ) cuts += await cutUntilDone(await makeTarget(), wanted - cuts, cut);
  }

  /**
   * Cuts a copy again and again, and checks after each time that the target is the source as of its own heads. Returns how often it was cut.
   */
  async function cutUntilDone(target: string, maxCuts: number, cut: Cut): Promise<number> {
    let copied = 0;
    let cuts = 0;
    for (let ends = false; !ends; ) {
      const child = start(['copy', '--from', source, '--to', target, '--keep-source'], { cwd: folder.path });
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
        stderr += piece;
      });
      const ended = Promise.all([text(child.stdout as NodeJS.ReadableStream), once(child, 'close')]);
      if (cuts < maxCuts) {
        const cutAt = copied + random.integer(0, Math.ceil(total / 3));
        const isReached = async () => (await changesIn(target)) >= Math.min(cutAt, total);
        await until(async () => child.exitCode !== null || (await isReached()));
        await delay(random.integer(0, CUT_WITHIN_MS));
        if (child.exitCode === null) {
          await cut(target);
          cuts++;
        }
      }
      const [stdout, [status]] = await ended;
      const state = await stateOf(target);
      ends = status === 0;
      if (ends)
        assert.match(
          stdout,
          new RegExp(`Both are equal: the heads and seals of ${SMALL_ACCOUNTS + 1} accounts`),
          stderr,
        );
      if (state === undefined) continue;
      assertRowsAtHeads(contents, state.contents);
      copied = changesOf(state.contents);
      if (ends) assert.equal(state.mark, undefined);
      else if (copied > 0) assert.equal(state.mark?.other, source);
    }
    assert.equal(copied, total);
    return cuts;
  }

  test('by the end of its connections', async () => {
    await cutCopies(
      CUTS,
      () => makePostgresDatabase(),
      async (target) => {
        await queryPostgres(
          target,
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
        );
      },
    );
  });

  test('by SIGKILL of the server', async (t) => {
    const server = await startPostgres();
    t.after(() => server.stop());
    await cutCopies(
      SERVER_KILLS,
      () => makePostgresDatabase(server.url),
      async () => {
        await server.kill();
        await server.start();
      },
    );
  });
});
