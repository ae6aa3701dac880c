import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LAST_ACCOUNT } from '../../src/operate/copy/copy-reader.ts';
import { openStore } from '../../src/store/open-store.ts';
import { sampleCsv } from '../rig/data/csv.ts';
import { countOtherSessions, makePostgresDatabase } from '../rig/database/postgres.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { importCsv, run, start } from '../rig/service/process.ts';
import {
  assertRowsAtHeads,
  assertSameContents,
  assertVerified,
  changesOf,
  contentsOf,
  openReader,
} from '../rig/store/copy.ts';
import { RandomRecorder } from '../rig/store/random-recorder.ts';
import { until } from './recording-load.ts';

const KILLS = inTier({ short: 3, long: 10 });
const KILLS_ON_POSTGRES = inTier({ short: 2, long: 5 });
const ROWS = 12_000;
/** After the target has so many more changes, and then a random time, so that kills interrupt every step of a write. */
const MAX_MORE_CHANGES = 2400;
const MAX_LATER_MS = 10;

/** How many changes the target has; 0 before it is migrated. */
async function countCopied(url: string): Promise<number> {
  try {
    const reader = await openReader(url);
    try {
      const heads = await reader.listHeads('', LAST_ACCOUNT, 1000);
      return heads.reduce((sum, { head }) => sum + head, 0);
    } finally {
      await reader.close();
    }
  } catch {
    return 0;
  }
}

/** Kills copies at random moments while the source records more, and checks what each leaves. */
async function killAndCheck(
  t: TestContext,
  kills: number,
  makeTarget: (folder: string, number: number) => Promise<string>,
) {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const source = `sqlite:${folder.path}/source.db`;
  const options = { cwd: folder.path, env: { DATABASE_URL: source } };
  await importCsv(sampleCsv(ROWS), options);
  const { store } = await openStore(source, Date.now);
  t.after(() => store.close());
  const random = new Random(seed);
  const recorder = new RandomRecorder(random);
  let target = await makeTarget(folder.path, 0);
  const args = () => ['copy', '--from', source, '--to', target, '--keep-source'];

  let parts = 0;
  let last = 0;
  let hasEnded = false;
  // On a busy machine, all of a few kills can come after the copying.
  for (let kill = 0; kill < kills || (parts === 0 && kill < 10 * kills); kill++) {
    if (hasEnded || last === changesOf(await contentsOf(source))) {
      target = await makeTarget(folder.path, kill);
      last = 0;
    }
    const child = start(random.chance(0.3) ? [...args(), '--follow'] : args(), options);
    child.stdout?.resume();
    child.stderr?.resume();
    const exited = once(child, 'exit');
    const wanted = last + random.integer(1, MAX_MORE_CHANGES);
    await recorder.record(store, random.integer(1, 30));
    const all = changesOf(await contentsOf(source));
    await until(async () => child.exitCode !== null || (await countCopied(target)) >= Math.min(wanted, all));
    await delay(random.integer(0, MAX_LATER_MS));
    child.kill('SIGKILL');
    await exited;
    hasEnded = child.exitCode === 0;
    if (target.startsWith('postgres:')) await until(async () => (await countOtherSessions(target)) === 0);

    const [there, here] = [await contentsOf(source), await contentsOf(target)];
    assertRowsAtHeads(there, here);
    const copied = changesOf(here);
    assert.ok(copied >= last, `${copied} after ${last}`);
    if (copied < changesOf(there)) parts++;
    last = copied;
  }
  t.diagnostic(`${parts} of ${kills} kills left a part`);
  assert.ok(parts > 0);
  if (hasEnded) target = await makeTarget(folder.path, -1);
  const { status, stderr } = await run(args(), options);
  assert.equal(status, 0, stderr);
  assertSameContents(await contentsOf(source), await contentsOf(target));
  await assertVerified(target);
}

const GUARANTEE = 'the target is a whole database as of its heads, and is equal to the source in the end';

test(`${KILLS} kills of a copy to SQLite at random moments: ${GUARANTEE}`, async (t) => {
  await killAndCheck(t, KILLS, async (folder, number) => `sqlite:${folder}/target-${number}.db`);
});

test(`${KILLS_ON_POSTGRES} kills of a copy to PostgreSQL at random moments: ${GUARANTEE}`, async (t) => {
  await killAndCheck(t, KILLS_ON_POSTGRES, () => makePostgresDatabase());
});
