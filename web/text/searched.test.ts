import assert from 'node:assert/strict';
import { test } from 'node:test';
import { piecesOf } from './searched.ts';

test('the words of a search are marked in a text in any case; where several match, the longest is marked', () => {
  assert.deepEqual(piecesOf('Grace Hopper', ['hopper']), ['Grace ', 'Hopper', '']);
  assert.deepEqual(piecesOf('4242 4242', ['4242', '42']), ['', '4242', ' ', '4242', '']);
  assert.deepEqual(piecesOf('order-10482', ['104', 'ORDER']), ['', 'order', '-', '104', '82']);
  assert.deepEqual(piecesOf('order', ['x', '']), ['order']);
  assert.deepEqual(piecesOf('Frau Mu\u0308ller', ['MULL']), ['Frau ', 'M\u00fcll', 'er']);
  assert.deepEqual(piecesOf('Frau Müller', ['mueller']), ['Frau ', 'Müller', '']);
  assert.deepEqual(piecesOf('\u0130stanbul', ['ist']), ['', '\u0130st', 'anbul']);
});
