import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { createMetrics } from '../../service/metrics.ts';
import { ConcurrencyLimit, EventLoopLimit, endInFlight, type Shed, shedLoad } from './load-shedding.ts';

const MAX_IN_FLIGHT = 10_000;
const metrics = createMetrics();

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

test('a key that has taken every slot leaves one slot to each of 16 others', () => {
  const { passes } = guardOf({ nowMs: 0 });
  const list = (key?: string) => passes('/v1/transactions', key);
  for (let count = 0; count < MAX_IN_FLIGHT; count++) assert.ok(list('taking every slot'));
  assert.ok(!list('taking every slot'));
  assert.ok(!list());
  for (let other = 1; other <= 16; other++) {
    assert.ok(list(`other ${other}`));
    assert.ok(!list(`other ${other}`));
  }
  assert.ok(!list('one too many'));
});

test('requests that wait for something else take no slot, end once, and are no slow answers', async () => {
  const clock = { nowMs: 0 };
  const { passes, waitWithLast, closeLast } = guardOf(clock);
  for (let count = 0; count < 2 * MAX_IN_FLIGHT; count++) {
    assert.ok(passes('/v1/changes?wait=30', 'one caller'));
    waitWithLast();
    const isLong = count % 400 === 0;
    if (isLong) clock.nowMs += 30_000;
    closeLast();
    if (isLong) await nextTurn();
  }
  for (let count = 0; count < MAX_IN_FLIGHT; count++) assert.ok(passes('/v1/transactions', 'one caller'));
  assert.ok(!passes('/v1/transactions', 'one caller'));
});

function limitedEventLoop() {
  let nowMs = 0;
  let endIteration = () => {};
  const limit = new EventLoopLimit(
    () => nowMs,
    (callback) => {
      endIteration = callback;
    },
  );
  return {
    iterate: (requests: number, millisecondsEach: number) => {
      let admitted = 0;
      for (let count = 0; count < requests; count++) {
        if (!limit.admits(nowMs)) continue;
        admitted++;
        nowMs += millisecondsEach;
      }
      endIteration();
      return admitted;
    },
  };
}

test('a standing queue is admitted for 20 ms of each iteration after the first', () => {
  const { iterate } = limitedEventLoop();
  assert.equal(iterate(5000, 0.1), 1001);
  assert.equal(iterate(5000, 0.1), 201);
  assert.equal(iterate(5000, 0.1), 201);
});

const OPTIONS = { targetMs: 200, maxLimit: 1000 };

function simulate(
  limit: ConcurrencyLimit,
  { perSecond, capacityPerSecond, seconds, fromMs = 0 }: Record<string, number> & { perSecond: number },
) {
  const queue: number[] = [];
  const waitedMs: number[] = [];
  let refused = 0;
  let freeAtMs = fromMs;
  const untilMs = fromMs + (seconds as number) * 1000;
  const answerMs = 1000 / (capacityPerSecond as number);
  const answerUntil = (nowMs: number) => {
    for (let began = queue[0]; began !== undefined; began = queue[0]) {
      const endMs = Math.max(freeAtMs, began) + answerMs;
      if (endMs > nowMs) return;
      queue.shift();
      freeAtMs = endMs;
      waitedMs.push(endMs - began);
      limit.end(began, endMs, true);
    }
  };
  for (let nowMs = fromMs; nowMs < untilMs; nowMs += 1000 / perSecond) {
    answerUntil(nowMs);
    if (limit.begin()) queue.push(nowMs);
    else refused++;
  }
  const answeredInTime = waitedMs.length;
  answerUntil(Number.POSITIVE_INFINITY);
  return { answeredInTime, refused, waitedMs, endMs: freeAtMs };
}

const lastHalf = (values: readonly number[]) => values.slice(values.length / 2);

test('at five times its capacity, the store is always busy and admitted requests wait briefly', () => {
  for (const capacityPerSecond of [50, 500, 4000]) {
    const limit = new ConcurrencyLimit(OPTIONS);
    const { answeredInTime, waitedMs } = simulate(limit, {
      perSecond: 5 * capacityPerSecond,
      capacityPerSecond,
      seconds: 20,
    });
    assert.ok(answeredInTime >= 0.99 * 20 * capacityPerSecond, `${answeredInTime} were answered`);
    const boundMs = Math.max(2 * OPTIONS.targetMs, (17 / capacityPerSecond) * 1000);
    assert.ok(Math.max(...lastHalf(waitedMs)) <= boundMs, `one waited ${Math.max(...lastHalf(waitedMs))} ms`);
  }
});

test('no request is refused while the store answers in time', () => {
  const limit = new ConcurrencyLimit(OPTIONS);
  assert.equal(simulate(limit, { perSecond: 450, capacityPerSecond: 500, seconds: 10 }).refused, 0);
});

test('two seconds after a slow store has recovered, every request is admitted', () => {
  const limit = new ConcurrencyLimit(OPTIONS);
  const { endMs } = simulate(limit, { perSecond: 2000, capacityPerSecond: 20, seconds: 10 });
  assert.ok(limit.limit < 50);
  const { endMs: recoveredAtMs } = simulate(limit, {
    perSecond: 2000,
    capacityPerSecond: 4000,
    seconds: 2,
    fromMs: endMs,
  });
  const { refused } = simulate(limit, {
    perSecond: 2000,
    capacityPerSecond: 4000,
    seconds: 2,
    fromMs: recoveredAtMs,
  });
  assert.equal(refused, 0);
});

test('responses that did not use the store do not hide that it is slow', () => {
  const limit = new ConcurrencyLimit(OPTIONS);
  for (let count = 0; count < 100; count++) limit.begin();
  for (let nowMs = 0; nowMs < 3000; nowMs += 10) {
    limit.begin();
    limit.end(nowMs, nowMs, false);
  }
  for (let count = 0; count < 100; count++) limit.end(0, 3000 + count, true);
  assert.equal(limit.limit, 75);
  assert.equal(limit.inFlight, 0);
});
