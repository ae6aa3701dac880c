import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../test/rig/run/random.ts';
import { seed } from '../../../test/rig/run/seed.ts';
import { inTier } from '../../../test/rig/run/tier.ts';
import { NumberSet } from './number-set.ts';

/** Numbers near the edges of words and chunks, and far away. */
const EDGES = [1, 31, 32, 33, 63, 64, 8191, 8192, 8193, 16_384, 10 ** 12, Number.MAX_SAFE_INTEGER];

test('a set of numbers reports which numbers are new, as a Set does', () => {
  const random = new Random(seed);
  const numbers = new NumberSet();
  const expected = new Set<number>();
  for (let step = 0; step < 20_000; step++) {
    const value = random.chance(0.1) ? random.pick(EDGES) : random.integer(1, 20_000);
    assert.equal(numbers.add(value), !expected.has(value));
    expected.add(value);
    assert.equal(numbers.size, expected.size);
  }
});

test('the gaps are the ranges of numbers up to the last one that are not in the set', () => {
  const random = new Random(seed);
  for (let round = 0; round < inTier({ short: 40, long: 200 }); round++) {
    const last = random.integer(0, 30_000);
    const missing = new Set(
      Array.from({ length: random.integer(0, 20) }, () => random.integer(1, last + 40)),
    );
    for (let value = random.integer(1, 9000); value < 9000; value++) missing.add(value);
    const numbers = new NumberSet();
    for (let value = 1; value <= last + 20; value++) if (!missing.has(value)) numbers.add(value);
    const found: number[] = [];
    for (const { from, to } of numbers.gaps(last)) {
      assert.ok(found.length === 0 || from > (found.at(-1) as number) + 1);
      for (let value = from; value <= to; value++) found.push(value);
    }
    const expected = [...missing].filter((value) => value <= last).sort((left, right) => left - right);
    assert.deepEqual(found, expected);
  }
});

test('a gap up to a number far away is one range, found without visiting each number', () => {
  const numbers = new NumberSet();
  numbers.add(3);
  assert.deepEqual(
    [...numbers.gaps(Number.MAX_SAFE_INTEGER)],
    [
      { from: 1, to: 2 },
      { from: 4, to: Number.MAX_SAFE_INTEGER },
    ],
  );
});
