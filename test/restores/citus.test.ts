import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITUS_URL } from '../rig/database/citus.ts';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { citusDatabase } from './restorable-database.ts';
import { runRestores } from './run-restores.ts';

const RESTORES = inTier({ short: 5, long: 100 });

if (CITUS_URL === undefined) {
  test('restores on Citus: not run here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('no backup was restored on Citus');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  test(`${RESTORES} restores on Citus: readers that have lost changes are refused, copies become equal, and receivers get every change`, async (t) => {
    const counts = await runRestores({ first: seed, count: RESTORES, databaseOf: citusDatabase });
    assert.equal(counts.restores, RESTORES);
    t.diagnostic(JSON.stringify(counts));
  });
}
