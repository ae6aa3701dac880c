import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../rig/database/migrated-database.ts';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runSchedules } from './schedule.ts';

const SCHEDULES = inTier({ short: 30, long: 1000 });

test(`the changes of ${SCHEDULES} schedules on PostgreSQL have no gaps, are in order, and lead to the rows of the table`, async (t) => {
  const databaseUrl = await makeMigratedDatabase();
  const counts = await runSchedules({ databaseUrl, first, count: SCHEDULES, lanes: 6 });
  assert.ok(counts.changes > SCHEDULES);
  t.diagnostic(JSON.stringify(counts));
});
