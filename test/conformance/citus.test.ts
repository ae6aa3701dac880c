import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CITUS_URL, makeCitusDatabase } from '../rig/database/citus.ts';
import { judgeService } from './judge-service.ts';

if (CITUS_URL === undefined) {
  test('the kit on Citus: not run here; set TEST_CITUS_URL to postgres://USER@HOST:PORT of a coordinator', (t) => {
    t.diagnostic('the service on Citus was not judged');
    assert.equal(CITUS_URL, undefined);
  });
} else {
  test('the service on Citus passes every check', async (t) => judgeService(t, await makeCitusDatabase()));
}
