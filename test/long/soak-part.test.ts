import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthIn } from './soak-part.ts';

const measured = (rssMb: number, descriptors: number) => ({
  requests: 1,
  failures: [],
  rssMbPerHour: 0,
  rssMb: { first: 150, last: rssMb },
  descriptors: { first: 40, last: descriptors },
  p99Ms: { first: 8, last: 8 },
});

test('a slice of soak fails if memory or descriptors grow', () => {
  assert.deepEqual(growthIn(60, measured(159, 47)), []);
  assert.deepEqual(growthIn(60, measured(200, 160)), [
    'the memory grew from 150 to 200 MB',
    'the descriptors grew from 40 to 160',
  ]);
  assert.deepEqual(growthIn(1, measured(200, 160)), [], 'a process grows at its start');
});
