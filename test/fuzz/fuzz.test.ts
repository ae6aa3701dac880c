import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFuzz } from './run-fuzz.ts';

const REQUESTS = inTier({ short: 500, long: 5000 });
/** If a few hundred random requests lack a rare status, more rounds follow, up to this many. */
const MAX_ROUNDS = 10;

/** Sends requests until each of the statuses has occurred. Fails if one never does. */
async function statusesOf(count: number, statuses: readonly number[]) {
  const byStatus: Record<string, number> = {};
  const missing = () => statuses.filter((status) => byStatus[status] === undefined);
  let sent = 0;
  for (let round = 0; round < MAX_ROUNDS && missing().length > 0; round++) {
    const result = await runFuzz({ first: first + sent, count });
    assert.equal(result.requests, count);
    sent += count;
    for (const [status, requests] of Object.entries(result.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + requests;
  }
  assert.deepEqual(missing(), []);
  return byStatus;
}

test(`${REQUESTS} malformed queries, paths, headers and bodies get documented responses, and never 500`, async (t) => {
  const statuses = [200, 201, 400, 401, 404, 405, 409, 414, 415, 422];
  const byStatus = await statusesOf(REQUESTS, statuses);
  t.diagnostic(JSON.stringify(byStatus));
});
