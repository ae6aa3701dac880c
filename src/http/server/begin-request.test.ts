import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_PARAMETERS } from '../../../values/interface/limits.ts';
import { parseQuery, UNREAD } from './begin-request.ts';

const pairs = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=${index}`);

test('parameters are decoded, repeated ones become an array, and bytes that are not UTF-8 become U+FFFD', () => {
  assert.deepEqual(
    { ...parseQuery('a=1&b=%C3%A4+x&a=2&c&d=%ff&=e') },
    {
      a: ['1', '2'],
      b: 'ä x',
      c: '',
      d: '\uFFFD',
      '': 'e',
    },
  );
  assert.deepEqual({ ...parseQuery('') }, {});
  assert.equal(Object.getPrototypeOf(parseQuery('a')), null);
});

test('the first MAX_PARAMETERS parameters are read, and the others are counted', () => {
  const all = parseQuery(pairs(MAX_PARAMETERS).join('&'));
  assert.deepEqual([Object.keys(all).length, all[UNREAD]], [MAX_PARAMETERS, undefined]);
  const more = parseQuery(pairs(MAX_PARAMETERS + 3).join('&'));
  assert.deepEqual([Object.keys(more).length, more[UNREAD]], [MAX_PARAMETERS, 3]);
  const repeated = parseQuery('a&'.repeat(MAX_PARAMETERS + 7));
  assert.deepEqual([Object.keys(repeated), repeated[UNREAD]], [['a'], 7]);
});
