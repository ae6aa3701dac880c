import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITUS_URL, takeCitusDatabase } from '../rig/database/citus.ts';
import { runSchedules } from './run-schedules.ts';

const SCHEDULES = 200;

if (CITUS_URL === undefined) {
  test('schedules on Citus: not run here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('no schedules were run on Citus');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  test(`the changes of ${SCHEDULES} schedules on Citus are dense, in order, and make the table`, async (t) => {
    const databaseUrl = await takeCitusDatabase();
    // Each connection to the coordinator opens others to its workers.
    const counts = await runSchedules({ databaseUrl, count: SCHEDULES, threads: 1 });
    assert.equal(counts.schedules, SCHEDULES);
    t.diagnostic(JSON.stringify(counts));
  });
}
