import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/rig/run/properties.ts';
import { TokenBuckets } from './rate-limit.ts';

const LIMIT = { perSecond: 10, burst: 20 };

test('a burst is admitted at once, and the next request gets the time until it would be admitted', () => {
  const buckets = new TokenBuckets(LIMIT, 100);
  for (let count = 1; count <= 20; count++) {
    assert.deepEqual(buckets.take('a', 0), { admitted: true, remaining: 20 - count, retryAfterMs: 0 });
  }
  assert.deepEqual(buckets.take('a', 0), { admitted: false, remaining: 0, retryAfterMs: 100 });
  assert.equal(buckets.take('a', 99).admitted, false);
  assert.equal(buckets.take('a', 100).admitted, true);
});

test('a returned token can be taken again, and never more than the burst', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 2 }, 100);
  for (let count = 0; count < 10; count++) {
    assert.equal(buckets.take('a', 0).remaining, 1);
    buckets.giveBack('a');
  }
  buckets.giveBack('a');
  assert.equal(buckets.take('a', 0).remaining, 1);
  assert.equal(buckets.take('a', 0).remaining, 0);
  assert.equal(buckets.take('a', 0).admitted, false);
});

test('the number of buckets is bounded, and the least recently used one is dropped', () => {
  const buckets = new TokenBuckets({ perSecond: 1, burst: 1000 }, 3);
  for (const name of ['a', 'b', 'c', 'a', 'd']) buckets.take(name, 0);
  assert.equal(buckets.size, 3);
  assert.equal(buckets.take('a', 0).remaining, 997);
});

test('in any period, at most the burst and the tokens earned in the period are admitted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 100 }),
      fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 300 }),
      (perSecond, burst, pausesMs) => {
        const buckets = new TokenBuckets({ perSecond, burst }, 10);
        const admittedAtMs: number[] = [];
        let nowMs = 0;
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs;
          if (buckets.take('a', nowMs).admitted) admittedAtMs.push(nowMs);
        }
        for (const [first, fromMs] of admittedAtMs.entries()) {
          for (let last = first; last < admittedAtMs.length; last++) {
            const spanMs = (admittedAtMs[last] as number) - fromMs;
            assert.ok(last - first + 1 <= burst + (spanMs / 1000) * perSecond + 1e-6);
          }
        }
      },
    ),
  );
});
