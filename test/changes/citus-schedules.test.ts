import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onCitus, takeCitusDatabase } from '../rig/database/citus.ts';
import { runSchedules } from './run-schedules.ts';

const SCHEDULES = 200;

onCitus('schedules on Citus', () => {
  test(`the changes of ${SCHEDULES} schedules on Citus have no gaps, are in order, and lead to the rows of the table`, async (t) => {
    const databaseUrl = await takeCitusDatabase();
    // Each connection to the coordinator opens more connections to the workers.
    const counts = await runSchedules({ databaseUrl, count: SCHEDULES, threads: 1 });
    assert.equal(counts.schedules, SCHEDULES);
    t.diagnostic(JSON.stringify(counts));
  });
});
