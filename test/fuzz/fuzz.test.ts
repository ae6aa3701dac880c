import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFuzz } from './run-fuzz.ts';

const REQUESTS = inTier({ short: 500, long: 5000 });
const MOST_REQUESTS = 10 * REQUESTS;
const STATUSES = [200, 201, 400, 401, 404, 405, 409, 414, 415, 422];

test(`${REQUESTS} malformed queries, paths, headers and bodies get documented responses, and never 500`, async (t) => {
  const missing = new Set(STATUSES);
  for (let sent = 0; sent < MOST_REQUESTS && (sent === 0 || missing.size > 0); sent += REQUESTS) {
    const byStatus = await runFuzz({ first: seed + sent, requests: REQUESTS });
    for (const status of byStatus.keys()) missing.delete(status);
    t.diagnostic(JSON.stringify([...byStatus]));
  }
  assert.deepEqual([...missing], []);
});
