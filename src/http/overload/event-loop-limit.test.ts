import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLoopLimit } from './event-loop-limit.ts';

/** A limit on a simulated event loop. */
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
    /** How many requests one iteration admits, each of which takes some time. */
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

test('a burst is admitted whole', () => {
  assert.equal(limitedEventLoop().iterate(900, 0.1), 900);
});

test('a standing queue is admitted for 20 ms of each iteration after the first', () => {
  const { iterate } = limitedEventLoop();
  assert.equal(iterate(5000, 0.1), 1001);
  assert.equal(iterate(5000, 0.1), 201);
  assert.equal(iterate(5000, 0.1), 201);
});

test('after an iteration below 20 ms, a burst is admitted again', () => {
  const { iterate } = limitedEventLoop();
  iterate(5000, 0.1);
  assert.equal(iterate(100, 0.1), 100);
  assert.equal(iterate(900, 0.1), 900);
});

test('any iteration admits 64 requests, however slow they are', () => {
  const { iterate } = limitedEventLoop();
  assert.equal(iterate(100, 50), 64);
  assert.equal(iterate(64, 50), 64);
});
