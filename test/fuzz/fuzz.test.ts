import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seed as first } from '../rig/run/seed.ts';
import { inTier } from '../rig/run/tier.ts';
import { runFuzz, runSocketFuzz } from './run-fuzz.ts';

const REQUESTS = inTier({ short: 500, long: 5000 });
const BYTES = inTier({ short: 400, long: 3000 });
/** The requests are close enough to valid ones to get every status. A few hundred can lack a rare one. */
const STATUSES = inTier({
  short: { requests: [200, 400, 401, 404, 405, 422], bytes: [200, 400, 401, 404] },
  long: {
    requests: [200, 201, 400, 401, 404, 405, 409, 414, 415, 422],
    bytes: [200, 400, 401, 404, 414, 431],
  },
});

test(`${REQUESTS} malformed queries, paths, headers and bodies get documented responses, and never 500`, async (t) => {
  const { requests, byStatus } = await runFuzz({ first, count: REQUESTS });
  assert.equal(requests, REQUESTS);
  for (const status of STATUSES.requests) assert.ok(byStatus[status], `no ${status}`);
  t.diagnostic(JSON.stringify(byStatus));
});

test(`${BYTES} requests with damaged bytes or ambiguous framing get documented responses, and never 500`, async (t) => {
  const { requests, byStatus } = await runSocketFuzz({ first, count: BYTES });
  assert.equal(requests, BYTES);
  for (const status of STATUSES.bytes) assert.ok(byStatus[status], `no ${status}`);
  // A request with a truncated body gets no response: one or two in a hundred, by the seed.
  assert.ok((byStatus['none'] ?? 0) < BYTES / 20, 'too many requests got no response');
  t.diagnostic(JSON.stringify(byStatus));
});
