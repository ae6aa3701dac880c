import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batchSizeAfter } from './batch-size.ts';

test('the next batch has the size that should take the target time: at most twice the last size, and 10 to 4,000', () => {
  assert.equal(batchSizeAfter(1000, 80, 40), 500);
  assert.equal(batchSizeAfter(1000, 32, 40), 1250);
  assert.equal(batchSizeAfter(250, 0, 40), 500);
  assert.equal(batchSizeAfter(3000, 1, 40), 4000);
  assert.equal(batchSizeAfter(20, 1000, 40), 10);
});
