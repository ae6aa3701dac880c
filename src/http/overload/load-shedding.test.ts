import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { createMetrics } from '../../service/metrics.ts';
import { endInFlight, type Shed, shedLoad } from './load-shedding.ts';

const MAX_IN_FLIGHT = 10_000;
const metrics = createMetrics();

/** A guard before a handler that never answers, on a manual clock. `closeLast` ends the last request. */
function guardOf(clock: { nowMs: number }, sheds: Shed = 'everything') {
  const passed: (string | undefined)[] = [];
  const guard = shedLoad(({ url }) => passed.push(url), {
    listener: 'public',
    sheds,
    requestTimeoutMs: 1000,
    monotonicMs: () => clock.nowMs,
    logger: pino({ level: 'silent' }),
    metrics,
  });
  const socket = new Socket();
  let last: ServerResponse | undefined;
  const passes = (url: string, authorization?: string, method = 'GET') => {
    const request = new IncomingMessage(socket);
    Object.assign(request, { method, url, headers: { authorization } });
    const before = passed.length;
    const response = new ServerResponse(request);
    guard(request, response);
    last = response;
    const isPassed = passed.length > before;
    assert.equal(response.statusCode, isPassed ? 200 : 503);
    return isPassed;
  };
  const waitWithLast = () => endInFlight(last as ServerResponse);
  return { passes, closeLast: () => last?.emit('close'), waitWithLast };
}

const HEALTH = ['/livez', '/readyz', '/healthz'];

test('when the event loop lags, every request is refused except health checks in their exact spelling', () => {
  const clock = { nowMs: 0 };
  const { passes } = guardOf(clock);
  for (let count = 0; count < 64; count++) assert.ok(passes('/v1/transactions'));
  clock.nowMs += 200;
  for (const url of [
    '/v1/transactions',
    '/v1/transactions?status=pending',
    '/%761/transactions',
    '/v%31/transactions',
    '/guides/search.json',
    '/openapi.json',
    '/',
    '/none',
    '/%6civez',
    '/livez/',
  ])
    assert.ok(!passes(url), url);
  for (const url of HEALTH) assert.ok(passes(url), url);
});

test('a listener that sheds reads refuses no recording and nothing that does not read the store', () => {
  const clock = { nowMs: 0 };
  const { passes } = guardOf(clock, 'reads');
  for (let count = 0; count < 64; count++) assert.ok(passes('/v1/accounts/a/changes'));
  clock.nowMs += 200;
  for (const method of ['GET', 'HEAD']) assert.ok(!passes('/v1/accounts/a/changes', undefined, method));
  for (const method of ['PUT', 'POST', 'DELETE'])
    assert.ok(passes('/v1/accounts/a/transactions/b', undefined, method));
  for (const url of [...HEALTH, '/metrics', '/docs', '/openapi.json']) assert.ok(passes(url), url);
});

test('at the limit of the store, every request that queries it is refused in any spelling, and no other', () => {
  const { passes } = guardOf({ nowMs: 0 });
  for (const url of ['/docs', '/', '/page/x'])
    for (let count = 0; count < 100; count++) assert.ok(passes(url));
  for (let count = 0; count < MAX_IN_FLIGHT; count++)
    assert.ok(passes(count % 2 === 0 ? '/v1/transactions' : '/%761/transactions/a'));
  for (const url of [
    '/v1/transactions',
    '/%761/transactions',
    '/%76%31/transactions?x',
    '/%761/transactions?%',
    '/%761/transactions#%',
    '/v1%2f',
  ])
    assert.ok(!passes(url), url);
  for (const url of [...HEALTH, '/docs', '/', '/%', '/docs?/v1/', '/docs#/v1/', '/%64ocs'])
    assert.ok(passes(url), url);
});

test('a key that has taken every place leaves one place to each of 16 others', () => {
  const { passes } = guardOf({ nowMs: 0 });
  const list = (key?: string) => passes('/v1/transactions', key);
  for (let count = 0; count < MAX_IN_FLIGHT; count++) assert.ok(list('taking every place'));
  assert.ok(!list('taking every place'));
  assert.ok(!list());
  for (let other = 1; other <= 16; other++) {
    assert.ok(list(`other ${other}`));
    assert.ok(!list(`other ${other}`));
  }
  assert.ok(!list('one too many'));
});

test('a key keeps its place while many others come and go', () => {
  const { passes, closeLast } = guardOf({ nowMs: 0 });
  const list = (key?: string) => passes('/v1/transactions', key);
  assert.ok(list('in flight'));
  for (let other = 0; other < 5000; other++) {
    assert.ok(list(`answered ${other}`));
    closeLast();
  }
  for (let count = 1; count < MAX_IN_FLIGHT; count++) assert.ok(list('taking every place'));
  assert.ok(!list('in flight'));
  assert.ok(list('answered 0'));
  assert.ok(list('answered 4999'));
});

test('requests that wait for something else take no place, and end once', () => {
  const { passes, waitWithLast, closeLast } = guardOf({ nowMs: 0 });
  for (let count = 0; count < 2 * MAX_IN_FLIGHT; count++) {
    assert.ok(passes('/v1/changes?wait=30', 'one caller'));
    waitWithLast();
    closeLast();
  }
  for (let count = 0; count < MAX_IN_FLIGHT; count++) assert.ok(passes('/v1/transactions', 'one caller'));
  assert.ok(!passes('/v1/transactions', 'one caller'));
});

test('a long wait is not a slow answer: the limit stays where it is', async () => {
  const clock = { nowMs: 0 };
  const { passes, waitWithLast, closeLast } = guardOf(clock);
  for (let count = 0; count < 50; count++) {
    assert.ok(passes('/v1/changes?wait=30', 'one caller'));
    waitWithLast();
    clock.nowMs += 30_000;
    closeLast();
    await nextTurn();
  }
  for (let count = 0; count < MAX_IN_FLIGHT; count++) assert.ok(passes('/v1/transactions', 'one caller'));
});
