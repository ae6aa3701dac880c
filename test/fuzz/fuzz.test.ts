import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFuzz, runSocketFuzz } from './run-fuzz.ts';

const REQUESTS = inTier({ short: 500, long: 5000 });
const BYTES = inTier({ short: 400, long: 3000 });
/** If a few hundred random requests lack a rare status, more are sent, up to this many times as many. */
const MAX_ROUNDS = 10;

/** Sends requests that are close enough to valid ones to get every one of the statuses. */
async function statusesOf(run: typeof runFuzz, count: number, statuses: readonly number[]) {
  const byStatus: Record<string, number> = {};
  const missing = () => statuses.filter((status) => byStatus[status] === undefined);
  let sent = 0;
  for (let round = 0; round < MAX_ROUNDS && missing().length > 0; round++) {
    const result = await run({ first: first + sent, count });
    assert.equal(result.requests, count);
    sent += count;
    for (const [status, requests] of Object.entries(result.byStatus))
      byStatus[status] = (byStatus[status] ?? 0) + requests;
  }
  assert.deepEqual(missing(), []);
  return { byStatus, sent };
}

test(`${REQUESTS} malformed queries, paths, headers and bodies get documented responses, and never 500`, async (t) => {
  const statuses = [200, 201, 400, 401, 404, 405, 409, 414, 415, 422];
  const { byStatus } = await statusesOf(runFuzz, REQUESTS, statuses);
  t.diagnostic(JSON.stringify(byStatus));
});

test(`${BYTES} requests with damaged bytes or ambiguous framing get documented responses, and never 500`, async (t) => {
  const { byStatus, sent } = await statusesOf(runSocketFuzz, BYTES, [200, 400, 401, 404, 414, 431]);
  // A request with a truncated body gets no response: one or two in a hundred, by the seed.
  assert.ok((byStatus['none'] ?? 0) < sent / 20, 'too many requests got no response');
  t.diagnostic(JSON.stringify(byStatus));
});
