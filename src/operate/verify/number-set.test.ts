import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../test/rig/run/random.ts';
import { seed } from '../../../test/rig/run/seed.ts';
import { NumberSet } from './number-set.ts';

test('a set of numbers knows which are new, and the gaps up to the last number, however far away it is', () => {
  const random = new Random(seed);
  const numbers = new NumberSet();
  const expected = new Set([1, 31, 32, 33, 63, 64, 8191, 8192, 8193]);
  while (expected.size < 15_000) expected.add(random.integer(1, 20_000));
  for (const isNew of [true, false]) for (const value of expected) assert.equal(numbers.add(value), isNew);
  assert.equal(numbers.size, expected.size);
  const gaps = [...numbers.gaps(Number.MAX_SAFE_INTEGER)];
  assert.equal(gaps.at(-1)?.to, Number.MAX_SAFE_INTEGER);
  const missing: number[] = [];
  for (const { from, to } of gaps) {
    assert.ok(from > (missing.at(-1) ?? -1) + 1, `a gap begins at ${from}`);
    for (let value = from; value <= Math.min(to, 20_001); value++) missing.push(value);
  }
  const all = Array.from({ length: 20_001 }, (_, index) => index + 1);
  assert.deepEqual(
    missing,
    all.filter((value) => !expected.has(value)),
  );
});
