import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/migrated-database.ts';
import { seed as first } from '../rig/seed.ts';
import { runSchedules, SCHEDULES } from './run-schedules.ts';

test(`the changes of ${SCHEDULES.postgres} schedules on PostgreSQL are dense, in order, and make the table`, async (t) => {
  const databaseUrl = await makeMigratedDatabase();
  const counts = await runSchedules({ databaseUrl, first, count: SCHEDULES.postgres });
  assert.equal(counts.schedules, SCHEDULES.postgres);
  // A schedule that does nothing proves nothing.
  for (const [what, count] of Object.entries(counts)) assert.ok(count > SCHEDULES.postgres / 50, what);
  t.diagnostic(JSON.stringify(counts));
});
