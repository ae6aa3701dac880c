import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { describeFilter, FILTER_NAMES, filterOfQuery, formatRoute, parseRoute, type Route } from './route.ts';

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((one) => one.isWellFormed());
const filter = fc.record(Object.fromEntries(FILTER_NAMES.map((name) => [name, text])), {
  requiredKeys: [],
  noNullPrototype: true,
});
const route: fc.Arbitrary<Route> = fc.oneof(
  fc.record(
    { view: fc.constant('list' as const), filter, cursor: fc.option(text) },
    { noNullPrototype: true },
  ),
  fc.record({ view: fc.constant('transaction' as const), reference: text }, { noNullPrototype: true }),
);

test('a route is read back from its address as it was', () => {
  fc.assert(
    fc.property(route, (one) => {
      // As the browser keeps it.
      const { hash } = new URL(formatRoute(one), 'http://here/');
      assert.deepEqual(parseRoute(hash), one);
    }),
  );
});

test('what can not be read is the whole list', () => {
  for (const fragment of [
    '',
    '#',
    '#/',
    '#/elsewhere',
    '#/transactions/',
    '#/transactions?',
    '#/transactions?status=',
  ])
    assert.deepEqual(parseRoute(fragment), { view: 'list', filter: {}, cursor: null }, fragment);
  assert.deepEqual(parseRoute('#/transactions/%E0%A4%A'), { view: 'transaction', reference: '%E0%A4%A' });
});

test("the filter of the service's way on is that of its query", () => {
  assert.deepEqual(filterOfQuery('/v1/transactions?currency=USD&to=2026-06-11'), {
    currency: 'USD',
    to: '2026-06-11',
  });
});

test('a filter is described as a sentence would say it', () => {
  assert.equal(describeFilter({}), '');
  assert.equal(
    describeFilter({ status: 'completed', currency: 'EUR', from: '2026-01-01', to: '2026-03-31' }),
    'completed, EUR, 2026-01-01 to 2026-03-31',
  );
  assert.equal(describeFilter({ from: '2026-01-01' }), 'from 2026-01-01');
  assert.equal(
    describeFilter({ merchantReference: 'order-1', to: '2026-01-01' }),
    'your reference order-1, until 2026-01-01',
  );
});
