import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transactionsOf } from './fill-accounts.ts';
import { recordMeanwhile } from './record-meanwhile.ts';
import { startServer } from './right-server/server.ts';
import { failuresOf, judgeRightServer, OPERATOR_KEY, runKit } from './run-kit.ts';

/** With the account's key alone. */
const READING = { operatorUrl: undefined, operatorKey: undefined };

/** Nothing shows them on a small account of a server that never fails, and whose cursors last a day. */
const NOT_SHOWN = [
  'filter.deep',
  'cursor.expired',
  'headers.rate-limited',
  'headers.unavailable',
  'search.cursor-expired',
];

const notJudged = ({ results }: Awaited<ReturnType<typeof runKit>>) =>
  results.filter(({ outcome }) => outcome === 'not judged').map(({ id }) => id);

// Most of their time is waiting: for the ends of keys and cursors, and for changes.
describe('a right server', { concurrency: 8 }, () => {
  test('passes every check', async () => {
    const report = await judgeRightServer({ seed: 11 });
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual(notJudged(report), NOT_SHOWN);
  });

  test('passes while transactions are recorded', async () => {
    const server = await startServer({ operatorKey: OPERATOR_KEY, allowsLoopback: true });
    const report = await recordMeanwhile(server, () => runKit(server, { seed: 12 }));
    await server.stop();
    assert.deepEqual(failuresOf(report), []);
    assert.ok(report.summary.passed > 150);
  });

  test('changes of a small account are judged right while transactions are recorded', async () => {
    const server = await startServer({ operatorKey: OPERATOR_KEY });
    const report = await recordMeanwhile(server, () =>
      runKit(server, { ...READING, only: ['changes.*'], seed: 13 }),
    );
    await server.stop();
    assert.deepEqual(failuresOf(report), []);
    assert.ok(report.summary.passed > 10);
  });

  test('requests that are used up end a check, not the process', async () => {
    for (const only of ['changes.wait.wakes', 'changes.concurrent'])
      for (let maxRequests = 3; maxRequests < 8; maxRequests++) {
        const { requests, summary } = await judgeRightServer({ only: [only], maxRequests, seed: 14 });
        assert.ok(requests <= maxRequests);
        assert.equal(summary.failed, 0);
      }
  });

  test('passes with reading alone, and without a second key', async () => {
    const both = await judgeRightServer({ ...READING, seed: 21 });
    assert.deepEqual(failuresOf(both), []);
    const alone = await judgeRightServer({ ...READING, secondKey: undefined, seed: 22 });
    assert.deepEqual(failuresOf(alone), []);
    assert.ok(notJudged(alone).includes('cursor.other-account'));
  });

  test('below any path passes, also where the address ends with a slash', async () => {
    const server = await startServer({
      operatorKey: OPERATOR_KEY,
      allowsLoopback: true,
      basePath: '/z%C3%BCrich/payments%20api',
    });
    const url = `${server.url}/zürich/payments api/`;
    const report = await runKit(server, { url, operatorUrl: url, seed: 15 });
    await server.stop();
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual(notJudged(report), NOT_SHOWN);
  });

  test('whose operator has declared further statuses passes', async () => {
    const server = await startServer({
      operatorKey: OPERATOR_KEY,
      statuses: { failed: 'unpaid', refunded: 'paid' },
    });
    for (const [index, row] of transactionsOf('store-2').entries()) {
      const status = row.status === 'pending' ? 'failed' : 'refunded';
      server.service.ledger('store-1').save({ ...row, status, reference: `other-${index}` }, Date.now());
    }
    const report = await runKit(server, { levels: ['list', 'record'], seed: 31 });
    await server.stop();
    assert.deepEqual(failuresOf(report), []);
  });

  test('with a rate limit passes, and its refusals are judged', async () => {
    // The clock moves with every eighth request, of which seven are accepted.
    const startMs = Date.now();
    let requests = 0;
    const now = () => startMs + Math.floor(requests / 8) * 1000;
    const server = await startServer({
      operatorKey: OPERATOR_KEY,
      requestsPerSecond: 7,
      hidesRateLimit: true,
      now,
    });
    const find = server.service.keys.find.bind(server.service.keys);
    server.service.keys.find = (key, nowMs) => {
      const stored = find(key, nowMs);
      if (stored !== undefined) requests++;
      return stored;
    };
    const report = await runKit(server, { only: ['list.*', 'headers.*'], concurrency: 1, seed: 41 });
    await server.stop();
    assert.deepEqual(failuresOf(report), []);
    assert.ok(!notJudged(report).includes('headers.rate-limited'));
  });

  test('cursors that expire soon are judged, and those of a right server pass', async () => {
    const report = await judgeRightServer(
      { only: ['cursor.expired', 'search.cursor-expired'], seed: 51 },
      { cursorLifetimeSeconds: 8 },
    );
    assert.deepEqual(
      report.results.map(({ outcome }) => outcome),
      ['passed', 'passed'],
    );
  });
});
