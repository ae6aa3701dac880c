import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

test('a third of the letters can be wrong, and one in a short name', () => {
  assert.equal(nearest('abcdxx', ['abcdef']), 'abcdef');
  assert.equal(nearest('abcxxx', ['abcdef']), undefined);
  assert.equal(nearest('tx', ['to']), 'to');
  assert.equal(nearest('xy', ['to']), undefined);
  assert.equal(nearest('fmro', ['from']), undefined);
  assert.equal(nearest('frmo', ['from']), 'from');
  assert.equal(nearest('rfmo', ['from']), undefined);
});

test('the nearest of several is found, and the first of equally near ones', () => {
  assert.equal(nearest('cursors', ['currency', 'cursor']), 'cursor');
  assert.equal(nearest('aax', ['aab', 'aac']), 'aab');
});
