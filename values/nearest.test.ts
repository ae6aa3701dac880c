import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearest } from './nearest.ts';

const KNOWN = ['status', 'currency', 'from', 'to', 'cursor'];

test('a misspelt name finds the name that was meant, in any case of letters', () => {
  const meant: [name: string, known: string][] = [
    ['curency', 'currency'],
    ['STATUS', 'status'],
    ['state', 'status'],
    ['fro', 'from'],
    ['too', 'to'],
    ['curser', 'cursor'],
    ['form', 'from'],
    ['ot', 'to'],
  ];
  for (const [name, known] of meant) assert.equal(nearest(name, KNOWN), known, name);
});

test('a name that is not near a known name finds nothing', () => {
  for (const name of ['merchant', 'x', 'amount', '', 'until'])
    assert.equal(nearest(name, KNOWN), undefined, name);
  assert.equal(nearest('status', []), undefined);
});

test('a third of the letters can be wrong, and one in a short name', () => {
  assert.equal(nearest('abcdxx', ['abcdef']), 'abcdef');
  assert.equal(nearest('abcxxx', ['abcdef']), undefined);
  assert.equal(nearest('tx', ['to']), 'to');
  assert.equal(nearest('xy', ['to']), undefined);
  assert.equal(nearest('fmro', ['from']), undefined);
  assert.equal(nearest('frmo', ['from']), 'from');
  assert.equal(nearest('rfmo', ['from']), undefined);
});

test('the equal beginnings of dotted names are not counted', () => {
  const types = ['transaction.pending', 'transaction.completed', 'transaction.failed'];
  for (const [name, meant] of [
    ['transaction.paid', undefined],
    ['transaction.complete', 'transaction.completed'],
    ['Transaction.failed', 'transaction.failed'],
    ['transactions.pending', 'transaction.pending'],
  ] as const)
    assert.equal(nearest(name, types), meant, name);
});

test('the nearest of several is found, and the first of equally near ones', () => {
  assert.equal(nearest('cursors', ['currency', 'cursor']), 'cursor');
  assert.equal(nearest('aax', ['aab', 'aac']), 'aab');
});

test('a name that is too long or too short for a misspelling finds nothing, at any length', () => {
  assert.equal(nearest('currencycy', KNOWN), 'currency');
  assert.equal(nearest('currencycycy', KNOWN), undefined);
  assert.equal(nearest('currency'.repeat(1_000_000), KNOWN), undefined);
});
