import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../rig/run/random.ts';
import { seed as first } from '../rig/run/seed.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { runSchedules, SCHEDULES } from './run-schedules.ts';
import { noCounts, runSchedule } from './schedule.ts';
import { openSqliteDatabase } from './sqlite-database.ts';

test(`the changes of ${SCHEDULES.sqlite} schedules on SQLite are dense, in order, and make the table`, async (t) => {
  const counts = await runSchedules({ databaseUrl: null, first, count: SCHEDULES.sqlite });
  assert.equal(counts.schedules, SCHEDULES.sqlite);
  // A schedule that does nothing proves nothing.
  for (const [what, count] of Object.entries(counts)) assert.ok(count > SCHEDULES.sqlite / 10, what);
  t.diagnostic(JSON.stringify(counts));
});

test('a seed gives the same schedule on SQLite again', async (t) => {
  const run = async () => {
    const folder = temporaryFolder(t);
    const database = await openSqliteDatabase(`${folder.path}/replayed.db`);
    const schedules: string[] = [];
    for (let seed = 1; seed <= 50; seed++) {
      const counts = noCounts();
      const history = await runSchedule(seed, new Random(seed), database, counts);
      schedules.push(...history(), JSON.stringify(counts));
    }
    await database.close();
    return schedules;
  };
  assert.deepEqual(await run(), await run());
});
