import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { queryPostgres } from '../rig/database/postgres.ts';
import { someInTier } from '../rig/run/tier.ts';
import { openPostgresDatabase, prepareDatabase } from './postgres-database.ts';
import { firstBrokenPromise } from './schedule.ts';
import {
  ALLOW_REPEATED_NUMBERS,
  NumberingRecorder,
  RIGHT_NUMBERING,
  WRONG_NUMBERINGS,
} from './wrong-postgres-stores.ts';

const RECORDERS = 4;
const SCHEDULES_OF_RIGHT_NUMBERS = 25;
const MAX_SCHEDULES = 500;

/** The first promise that recorders with a numbering break, or undefined. */
async function brokenPromise(
  numbering: typeof RIGHT_NUMBERING,
  schedules: number,
): Promise<string | undefined> {
  const databaseUrl = await makeMigratedDatabase();
  await prepareDatabase(databaseUrl);
  await queryPostgres(databaseUrl, ALLOW_REPEATED_NUMBERS);
  const database = await openPostgresDatabase({
    databaseUrl,
    name: 'wrong',
    makeRecorders: async (url) =>
      Array.from({ length: RECORDERS }, () => new NumberingRecorder(url, numbering)),
  });
  return firstBrokenPromise(database, schedules);
}

test('the simplest store with right numbers breaks no promise on PostgreSQL', async () => {
  assert.equal(await brokenPromise(RIGHT_NUMBERING, SCHEDULES_OF_RIGHT_NUMBERS), undefined);
});

for (const [name, { numbering, broken }] of someInTier(Object.entries(WRONG_NUMBERINGS), 2)) {
  test(`the schedules on PostgreSQL notice ${name}`, async (t) => {
    const noticed = await brokenPromise(numbering, MAX_SCHEDULES);
    assert.match(noticed ?? `not noticed in ${MAX_SCHEDULES} schedules`, broken);
    t.diagnostic(noticed as string);
  });
}
