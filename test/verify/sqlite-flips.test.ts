import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import { backUpDatabase, openStore } from '../../src/store/open-store.ts';
import { StoreRefused } from '../../values/store-errors.ts';
import { Random } from '../rig/run/random.ts';
import { seed } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { inTier } from '../rig/run/tier.ts';
import { answersOf, type Questions, questionsOf } from './answers.ts';
import { FULL_NOW_MS, recordFull } from './full-database.ts';
import { type VerifiedStore, verifyDatabase } from './healthy-database.ts';
import { flipBit, treePages } from './pages.ts';

/** In the long tier, two in each table and index. Each seed has others. */
const FLIPS = inTier({ short: 8, long: 70 });
const BACKED_UP = inTier({ short: 1, long: 10 });
const ROWS = 300;

describe('one bit of a SQLite file is changed', () => {
  const folder = temporaryFolder();
  const healthy = `${folder.path}/healthy.db`;
  const damaged = `${folder.path}/damaged.db`;
  let questions: Questions;
  let right: Map<string, string>;
  before(async () => {
    await withStore(healthy, async (store) => {
      await recordFull(store, new Random(seed), ROWS);
      questions = await questionsOf(store);
      right = await answersOf(store, questions);
    });
    const db = new DatabaseSync(healthy);
    db.exec('PRAGMA journal_mode = DELETE');
    db.close();
  });
  after(folder.remove);

  test('verify finds it, or every answer is as before', async (t) => {
    const random = new Random(seed);
    const pages = treePages(healthy);
    const trees = [...new Set(pages.map(({ tree }) => tree))];
    const counts = { found: 0, harmless: 0 };
    const begin = random.integer(0, trees.length - 1);
    for (let flip = 0; flip < FLIPS; flip++) {
      const tree = trees[(begin + flip) % trees.length] as string;
      const page = random.pick(pages.filter((one) => one.tree === tree));
      for (const end of ['', '-wal', '-shm']) rmSync(damaged + end, { force: true });
      copyFileSync(healthy, damaged);
      const place = `${tree}: ${flipBit(damaged, page, random)}`;
      if (await isFound(damaged)) {
        counts.found++;
        if (flip < BACKED_UP) await assertBackupFinds(damaged, `${folder.path}/${flip}.db`, place);
        continue;
      }
      counts.harmless++;
      await withStore(damaged, async (store) => {
        for (const [name, answer] of await answersOf(store, questions))
          assert.equal(answer, right.get(name), `${place}: ${name}`);
      });
    }
    t.diagnostic(JSON.stringify(counts));
  });
});

async function withStore(path: string, work: (store: VerifiedStore) => Promise<void>): Promise<void> {
  const { store } = await openStore(`sqlite:${path}`, () => FULL_NOW_MS);
  try {
    await work(store as VerifiedStore);
  } finally {
    await store.close();
  }
}

async function assertBackupFinds(path: string, copyPath: string, place: string): Promise<void> {
  try {
    await backUpDatabase(`sqlite:${path}`, copyPath, () => {});
  } catch (error) {
    if (error instanceof StoreRefused) return;
    throw error;
  }
  assert.ok(await isFound(copyPath), `${place}: the backup is without it`);
}

/** True if verify reports something or refuses the file. */
async function isFound(path: string): Promise<boolean> {
  try {
    return (await verifyDatabase(`sqlite:${path}`)).lines.length > 0;
  } catch (error) {
    if (error instanceof StoreRefused) return true;
    throw error;
  }
}
