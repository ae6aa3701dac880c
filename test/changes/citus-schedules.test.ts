import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onCitus, takeCitusDatabase } from '../rig/database/citus.ts';
import { runSchedules } from './schedule.ts';

const SCHEDULES = 200;

onCitus('schedules on Citus', () => {
  test(`the changes of ${SCHEDULES} schedules on Citus have no gaps, are in order, and lead to the rows of the table`, async (t) => {
    const databaseUrl = await takeCitusDatabase();
    const counts = await runSchedules({ databaseUrl, count: SCHEDULES, lanes: 3 });
    assert.ok(counts.changes > SCHEDULES);
    t.diagnostic(JSON.stringify(counts));
  });
});
