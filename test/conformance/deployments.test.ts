import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import type { Report } from '../../proof/conformance/index.js';
import { listenOn } from '../rig/http/loopback.ts';
import { inTier } from '../rig/run/tier.ts';
import { transactionsOf } from './account-rows.ts';
import { failuresOf, serveFilled } from './filled-service.ts';
import { recordMeanwhile } from './record-meanwhile.ts';

const ROWS = inTier({ short: 10_000, long: 100_000 });
const MAX_REQUESTS = 2500;

const outcomesOf = ({ results }: Report) =>
  Object.fromEntries(results.map(({ id, outcome }) => [id, outcome] as const));

async function serveBelow(t: TestContext, path: string, url: string): Promise<string> {
  const server = createServer({ maxHeaderSize: 131_072 }, (incoming, response) => {
    const { method = '', headers, url: target = '' } = incoming;
    const passed = request(url + target.slice(path.length), { method, headers }, (answer) => {
      const link = [answer.headers['link']].flat().join(', ').replaceAll('</', `<${path}/`);
      response.writeHead(answer.statusCode ?? 0, { ...answer.headers, ...(link !== '' && { link }) });
      answer.pipe(response);
    });
    incoming.pipe(passed);
  });
  return listenOn(t, server);
}

describe('the kit', { concurrency: 4 }, () => {
  test('passes a service below a path in which transactions are recorded, even if the address ends with a slash', async (t) => {
    const { served, operatorKey, run, read } = await serveFilled(t);
    const below = await serveBelow(t, '/z%C3%BCrich/payments%20api', served.url);
    const url = `${below}/zürich/payments api/`;
    const reports = await recordMeanwhile(served, operatorKey, async () => [
      await run({ url, seed: 12 }),
      await read({ url, only: ['changes.*'], seed: 13 }),
    ]);
    assert.deepEqual(reports.flatMap(failuresOf), []);
  });

  test('passes a service whose operator has declared further statuses, and no longer declares them', async (t) => {
    const rowsOf = (account: string) =>
      transactionsOf(account).map((row, index) =>
        index % 2 === 0 ? row : { ...row, status: row.paidAt === null ? 'failed' : 'refunded' },
      );
    const declared = { STATUSES: 'failed:unpaid,refunded:paid' };
    for (const settings of [declared, {}]) {
      const { run } = await serveFilled(t, settings, rowsOf, declared);
      assert.deepEqual(failuresOf(await run({ levels: ['list', 'record'], seed: 31 })), []);
    }
  });

  test('passes a service with a low rate limit, and one whose cursors expire soon', async (t) => {
    const { run } = await serveFilled(t, { RATE_LIMIT: '100', CURSOR_LIFETIME: '8' });
    const only = ['list.*', 'headers.rate-limit', 'cursor.expired', 'search.cursor-expired'];
    const report = await run({ only, seed: 41 });
    assert.deepEqual(failuresOf(report), []);
    const { 'cursor.expired': ofList, 'search.cursor-expired': ofSearch } = outcomesOf(report);
    assert.deepEqual([ofList, ofSearch], ['passed', 'passed']);
  });

  test(`judges an account of ${ROWS} transactions with fewer than 2,500 requests`, async (t) => {
    const { read } = await serveFilled(t, {}, (account) => transactionsOf(account, ROWS));
    const report = await read({ maxRequests: MAX_REQUESTS, seed: 71 });
    assert.deepEqual(failuresOf(report), []);
    assert.ok(report.requests < MAX_REQUESTS, `${report.requests} requests`);
    assert.equal(outcomesOf(report)['filter.deep'], 'passed');
  });
});
