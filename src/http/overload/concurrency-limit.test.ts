import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const OPTIONS = { targetMs: 200, maxLimit: 1000 };

/**
 * A store that answers one request after the other, asked by callers that come evenly; what is in line when the time
 * is over is answered still.
 */
function load(
  limit: ConcurrencyLimit,
  { perSecond, answersPerSecond, seconds, fromMs = 0 }: Record<string, number> & { perSecond: number },
) {
  const line: number[] = [];
  const waitedMs: number[] = [];
  let refused = 0;
  let freeAtMs = fromMs;
  const untilMs = fromMs + (seconds as number) * 1000;
  const answerMs = 1000 / (answersPerSecond as number);
  const answerUntil = (nowMs: number) => {
    for (let began = line[0]; began !== undefined; began = line[0]) {
      const endMs = Math.max(freeAtMs, began) + answerMs;
      if (endMs > nowMs) return;
      line.shift();
      freeAtMs = endMs;
      waitedMs.push(endMs - began);
      limit.end(began, endMs, true);
    }
  };
  for (let nowMs = fromMs; nowMs < untilMs; nowMs += 1000 / perSecond) {
    answerUntil(nowMs);
    if (limit.begin()) line.push(nowMs);
    else refused++;
  }
  const answeredInTime = waitedMs.length;
  answerUntil(Number.POSITIVE_INFINITY);
  return { answeredInTime, refused, waitedMs, endMs: freeAtMs };
}

const lastHalf = (values: readonly number[]) => values.slice(values.length / 2);

test('at five times what a store answers, it is kept busy and nobody who is let in waits for long', () => {
  for (const answersPerSecond of [50, 500, 4000]) {
    const limit = new ConcurrencyLimit(OPTIONS);
    const { answeredInTime, waitedMs } = load(limit, {
      perSecond: 5 * answersPerSecond,
      answersPerSecond,
      seconds: 20,
    });
    assert.ok(answeredInTime >= 0.99 * 20 * answersPerSecond, `${answeredInTime} were answered`);
    // The least that is let in waits for itself.
    const boundMs = Math.max(2 * OPTIONS.targetMs, (17 / answersPerSecond) * 1000);
    assert.ok(
      Math.max(...lastHalf(waitedMs)) <= boundMs,
      `some waited ${Math.max(...lastHalf(waitedMs))} ms`,
    );
  }
});

test('a store that answers in time refuses nobody', () => {
  const limit = new ConcurrencyLimit(OPTIONS);
  assert.equal(load(limit, { perSecond: 450, answersPerSecond: 500, seconds: 10 }).refused, 0);
});

test('when a slow store is quick again, everybody is let in again within two seconds', () => {
  const limit = new ConcurrencyLimit(OPTIONS);
  const { endMs } = load(limit, { perSecond: 2000, answersPerSecond: 20, seconds: 10 });
  assert.ok(limit.limit < 50);
  const { endMs: recoveredAtMs } = load(limit, {
    perSecond: 2000,
    answersPerSecond: 4000,
    seconds: 2,
    fromMs: endMs,
  });
  const { refused } = load(limit, {
    perSecond: 2000,
    answersPerSecond: 4000,
    seconds: 2,
    fromMs: recoveredAtMs,
  });
  assert.equal(refused, 0);
});

test('answers that did not ask the store tell nothing of it', () => {
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
