import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inGroups } from './in-groups.ts';

test('work runs for some items at once, and the results are in the order of the items', async () => {
  let running = 0;
  let most = 0;
  const work = async (item: number) => {
    most = Math.max(most, ++running);
    for (let turns = item % 3; turns < 3; turns++) await null;
    running--;
    return item * 10;
  };
  assert.deepEqual(await inGroups([0, 1, 2, 3, 4, 5, 6], 3, work), [0, 10, 20, 30, 40, 50, 60]);
  assert.equal(most, 3);
  assert.deepEqual(await inGroups([], 3, work), []);
});
