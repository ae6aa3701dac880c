import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMerged, leadingColumns, NO_FILTER, shapeName, shapeOf } from './list.ts';

test('a list is a range of the index by merchantReference or by the columns of its filters; a list by currency alone is merged', () => {
  const shapes = [
    { currency: 'EUR' },
    { status: 'pending', currency: 'EUR' },
    { merchantReference: 'm', status: 'pending' },
  ].map((given) => shapeOf({ account: 'a', filter: { ...NO_FILTER, ...given }, after: null }).shape);
  assert.deepEqual(
    shapes.map((shape) => [isMerged(shape), leadingColumns(shape)]),
    [
      [true, ['currency_code']],
      [false, ['status', 'currency_code']],
      [false, ['merchant_reference']],
    ],
  );
  assert.equal(new Set(shapes.map(shapeName)).size, shapes.length);
});

test('the values of a shape are the account, the equality filters, the start of the range, and the position or else its end', () => {
  const days = { ...NO_FILTER, status: 'pending', from: '2026-01-01', to: '2026-01-02' };
  const [first, end] = ['2026-01-01', '2026-01-03'].map((day) => Date.parse(day));
  const open = shapeOf({ account: 'a', filter: days, after: null });
  assert.deepEqual([open.shape.end, open.values], ['before', ['a', 'pending', first, end]]);
  const after = { createdAtMs: 1, reference: 'r' };
  const next = shapeOf({ account: 'a', filter: days, after });
  assert.deepEqual([next.shape.end, next.values], ['after', ['a', 'pending', first, 1, 'r']]);
});
