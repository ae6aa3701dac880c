import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const OPTIONS = { targetMs: 200, maxLimit: 1000 };

/** Simulates evenly spaced requests to a store that answers one after another, until the queue is empty. */
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
    // A full queue at the minimum of the limit can take longer than the target.
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
  // While the store takes 3 s, others are refused by their key.
  for (let nowMs = 0; nowMs < 3000; nowMs += 10) {
    limit.begin();
    limit.end(nowMs, nowMs, false);
  }
  for (let count = 0; count < 100; count++) limit.end(0, 3000 + count, true);
  assert.equal(limit.limit, 75);
  assert.equal(limit.inFlight, 0);
});
