import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LogInterval } from './log-interval.ts';

test('one line of each key is logged in an interval, with the number of the others', () => {
  let nowMs = 0;
  const interval = new LogInterval(1000, () => nowMs);
  assert.deepEqual([interval.take('a'), interval.take('a'), interval.take('b')], [0, undefined, 0]);
  nowMs = 999;
  assert.equal(interval.take('a'), undefined);
  nowMs = 1000;
  assert.deepEqual([interval.take('b'), interval.take('a'), interval.take('a')], [0, 2, undefined]);
  nowMs = 5000;
  assert.equal(interval.take('a'), 1);
});
