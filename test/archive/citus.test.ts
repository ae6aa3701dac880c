import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITUS_URL, takeCitusDatabase } from '../rig/database/citus.ts';
import { archiveContract } from './archive-contract.ts';
import { sealedContract } from './sealed-contract.ts';

if (CITUS_URL === undefined) {
  test('Citus: not tested here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('archiving on Citus was not tested');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  archiveContract('Citus', () => takeCitusDatabase());
  sealedContract('Citus', () => takeCitusDatabase());
}
