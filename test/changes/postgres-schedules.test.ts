import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { seed as first } from '../rig/run/seed.ts';
import { runSchedules, SCHEDULES } from './run-schedules.ts';

test(`the changes of ${SCHEDULES} schedules on PostgreSQL are dense, in order, and make the table`, async (t) => {
  const happened = new Map<string, number>();
  // With a few seeds, a session is interrupted in none of the first schedules.
  for (let from = first; from < first + 10 * SCHEDULES; from += SCHEDULES) {
    const counts = await runSchedules({
      databaseUrl: await makeMigratedDatabase(),
      first: from,
      count: SCHEDULES,
    });
    assert.equal(counts.schedules, SCHEDULES);
    for (const [what, times] of Object.entries(counts)) happened.set(what, (happened.get(what) ?? 0) + times);
    if (!happened.values().some((times) => times === 0)) break;
  }
  // A schedule that does nothing proves nothing.
  for (const [what, times] of happened) assert.ok(times > 0, what);
  t.diagnostic(JSON.stringify([...happened]));
});
