import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultList, MAX_LISTED_FAULTS } from './fault-list.ts';

test('an error lists faults up to its limit and counts the others', () => {
  const faults = new FaultList<number>();
  for (let count = 1; count <= MAX_LISTED_FAULTS; count++) {
    assert.equal(faults.isFull, false);
    faults.add(count);
  }
  assert.deepEqual([faults.isFull, faults.count, faults.unlisted], [true, MAX_LISTED_FAULTS, 0]);
  faults.add(99);
  faults.countUnlisted(1000);
  assert.equal(faults.listed.length, MAX_LISTED_FAULTS);
  assert.ok(!faults.listed.includes(99));
  assert.deepEqual([faults.count, faults.unlisted], [MAX_LISTED_FAULTS + 1001, 1001]);
});

test('the summary says how many faults there are, and how many are not listed', () => {
  const faults = new FaultList<string>();
  faults.add('a');
  faults.add('b');
  assert.equal(faults.summary('The request'), 'The request has 2 faults: see errors.');
  faults.countUnlisted(1298);
  assert.equal(faults.summary('The body'), 'The body has 1,300 faults: 2 in errors, and 1,298 more.');
});
