import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stem } from './stem.ts';

/** Words of the pages and of their readers, each with its other forms. */
const FORMS = `upgrade upgrades upgraded upgrading
key keys
delivery deliveries
deliver delivers delivered delivering
roll rolls rolled rolling
stop stops stopped stopping
status statuses
address addresses
currency currencies
copy copies copied copying
fee fees
setting settings
webhook webhooks
cache caches cached caching
access accesses accessed`;

test('the plural of a word and the forms of a verb have one stem', () => {
  for (const forms of FORMS.split('\n')) {
    const [first, ...others] = forms.split(' ').map(stem);
    assert.ok(others.length > 0);
    for (const other of others) assert.equal(other, first, forms);
  }
});

test('words that mean something else have other stems, and short words and names of settings stay whole', () => {
  const stems = [
    'seal',
    'search',
    'set',
    'status',
    'day',
    'date',
    'total',
    'role',
    'roll',
    'page',
    'paid',
  ].map(stem);
  assert.deepEqual(stems, [...new Set(stems)]);
  for (const word of ['as', 'key', 'rate_limits', 'utf8s', 'größe']) assert.equal(stem(word), word);
});
