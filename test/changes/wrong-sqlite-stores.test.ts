import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { someInTier } from '../rig/tier.ts';
import { firstBrokenPromise } from './schedule.ts';
import { type MakeWriter, openSqliteDatabase } from './sqlite-database.ts';
import {
  ALLOW_REPEATED_NUMBERS,
  numberedWriter,
  RIGHT_NUMBERING,
  WRONG_NUMBERINGS,
} from './wrong-sqlite-stores.ts';

const MAX_SCHEDULES = 100;

/** The first promise that a writer breaks, or undefined. */
async function brokenPromise(t: TestContext, makeWriter: MakeWriter): Promise<string | undefined> {
  const folder = temporaryFolder();
  t.after(folder.remove);
  const path = `${folder.path}/wrong.db`;
  await (await openStore(`sqlite:${path}`, Date.now)).store.close();
  const db = new DatabaseSync(path);
  db.exec(ALLOW_REPEATED_NUMBERS);
  db.close();
  const database = await openSqliteDatabase(path, makeWriter);
  return firstBrokenPromise(database, MAX_SCHEDULES);
}

test('the simplest store with right numbers breaks no promise on SQLite', async (t) => {
  assert.equal(await brokenPromise(t, numberedWriter(RIGHT_NUMBERING())), undefined);
});

for (const [name, { make, broken }] of someInTier(Object.entries(WRONG_NUMBERINGS), 3)) {
  test(`the schedules on SQLite notice ${name}`, async (t) => {
    const noticed = await brokenPromise(t, numberedWriter(make()));
    assert.match(noticed ?? `not noticed in ${MAX_SCHEDULES} schedules`, broken);
    t.diagnostic(noticed as string);
  });
}
