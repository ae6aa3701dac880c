import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFuzz, runSocketFuzz } from './run-fuzz.ts';

const REQUESTS = 40_000;
const BYTES = 10_000;

test(`${REQUESTS} malformed queries, paths, headers and bodies get a documented answer, none of them 500`, async (t) => {
  const { requests, byStatus } = await runFuzz({ count: REQUESTS });
  assert.equal(requests, REQUESTS);
  // What is sent comes near enough to right requests to reach every kind of answer.
  for (const status of [200, 201, 400, 401, 404, 405, 409, 414, 415, 422])
    assert.ok(byStatus[status], `no ${status}`);
  t.diagnostic(JSON.stringify(byStatus));
});

test(`${BYTES} requests of damaged bytes and doubtful framing get a documented answer, none of them 500`, async (t) => {
  const { requests, byStatus } = await runSocketFuzz({ count: BYTES });
  assert.equal(requests, BYTES);
  for (const status of [200, 400, 401, 404, 414, 431]) assert.ok(byStatus[status], `no ${status}`);
  // A request that is cut off in its body is no question.
  assert.ok((byStatus['none'] ?? 0) < BYTES / 100, 'too many were left without an answer');
  t.diagnostic(JSON.stringify(byStatus));
});
