import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inTier } from '../rig/tier.ts';
import { startServer } from './right-server/server.ts';
import { failuresOf, OPERATOR_KEY, runKit } from './run-kit.ts';

const ROWS = inTier({ short: 10_000, long: 100_000 });
const MAX_REQUESTS = 2500;

test(`reading judges an account of ${ROWS} transactions with less than 2,500 requests`, async (t) => {
  const server = await startServer({ operatorKey: OPERATOR_KEY });
  const reading = { operatorUrl: undefined, operatorKey: undefined, maxRequests: MAX_REQUESTS };
  const report = await runKit(server, { ...reading, seed: 71 }, ROWS);
  await server.stop();
  assert.deepEqual(failuresOf(report), []);
  // The limit has cut nothing off.
  assert.ok(report.requests < MAX_REQUESTS, `${report.requests} requests`);
  assert.equal(report.results.find(({ id }) => id === 'filter.deep')?.outcome, 'passed');
  t.diagnostic(`${report.requests} requests in ${report.durationMs} ms`);
});
