import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFuzz, runSocketFuzz } from './run-fuzz.ts';

const REQUESTS = inTier({ short: 500, long: 5000 });
const BYTES = inTier({ short: 400, long: 3000 });

test(`${REQUESTS} malformed queries, paths, headers and bodies get documented responses, and never 500`, async (t) => {
  const { requests, byStatus } = await runFuzz({ first, count: REQUESTS });
  assert.equal(requests, REQUESTS);
  // The requests are close enough to valid ones to get every status.
  for (const status of [200, 201, 400, 401, 404, 405, 409, 414, 415, 422])
    assert.ok(byStatus[status], `no ${status}`);
  t.diagnostic(JSON.stringify(byStatus));
});

test(`${BYTES} requests with damaged bytes or ambiguous framing get documented responses, and never 500`, async (t) => {
  const { requests, byStatus } = await runSocketFuzz({ first, count: BYTES });
  assert.equal(requests, BYTES);
  for (const status of [200, 400, 401, 404, 414, 431]) assert.ok(byStatus[status], `no ${status}`);
  // A request with a truncated body gets no response: one or two in a hundred, by the seed.
  assert.ok((byStatus['none'] ?? 0) < BYTES / 20, 'too many requests got no response');
  t.diagnostic(JSON.stringify(byStatus));
});
