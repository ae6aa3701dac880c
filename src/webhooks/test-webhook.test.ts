import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unavailable } from '../../values/unavailable.ts';
import { testSlots } from './test-webhook.ts';

test('a process runs 64 tests of all accounts at once', () => {
  const slots = testSlots();
  for (let count = 0; count < 64; count++) slots.takeFree(`store-${count}`, 'tests_limit');
  assert.throws(() => slots.takeFree('another', 'tests_limit'), Unavailable);
});
