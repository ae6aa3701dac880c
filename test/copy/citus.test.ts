import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITUS_URL } from '../rig/database/citus.ts';
import { citusHarness, postgresHarness, sqliteHarness } from '../rig/store/store-harness.ts';
import { copiedContract } from '../store/copied-contract.ts';
import { refusedCopyContract } from '../store/copy-refused-contract.ts';
import { restoredSourceContract } from '../store/copy-restored-contract.ts';

if (CITUS_URL === undefined) {
  test('Citus: not tested here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('copies to and from Citus were not tested');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  copiedContract('PostgreSQL to Citus', postgresHarness, citusHarness, { histories: 1 });
  copiedContract('Citus to SQLite', citusHarness, sqliteHarness, { histories: 1 });
  restoredSourceContract('Citus', citusHarness);
  refusedCopyContract('Citus', citusHarness);
}
