import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/rig/run/properties.ts';
import {
  checkDateRange,
  isMerged,
  leadingColumns,
  NO_FILTER,
  shapeName,
  shapeOf,
  timeRange,
} from './list.ts';

// Days are calculated with the calendar of the runtime, not with the code that is tested.
const anyDay = fc
  .date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

function later(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function codeOf(from: string | null, to: string | null): string | undefined {
  return checkDateRange({ from, to })?.code;
}

const edges = fc.constantFrom(-1, 0, 90, 91);

test('a range is refused exactly if it is inverted or longer than 90 days, whatever its days are', () => {
  fc.assert(
    fc.property(anyDay, fc.oneof(fc.integer({ min: -400, max: 400 }), edges), (from, days) => {
      const to = later(from, days);
      fc.pre(/^\d{4}-/.test(to) && !to.startsWith('0000'));
      const expected = days < 0 ? 'date_range_inverted' : days > 90 ? 'date_range_too_long' : undefined;
      assert.equal(codeOf(from, to), expected, `${from}..${to}`);
    }),
    { numRuns: 500 },
  );
});

test('both bounds are whole UTC days, inclusive: a timestamp is in range exactly if its day is', () => {
  fc.assert(
    fc.property(
      fc.option(anyDay),
      fc.option(anyDay),
      fc.date({ min: new Date(-62135596800000), max: new Date(253402300799999), noInvalidDate: true }),
      (from, to, instant) => {
        const { fromMs, beforeMs } = timeRange({ from, to, timeZone: null });
        for (const atMs of [
          instant.getTime(),
          fromMs ?? 0,
          (fromMs ?? 0) - 1,
          beforeMs ?? 0,
          (beforeMs ?? 0) - 1,
        ]) {
          const inRange = (fromMs === null || atMs >= fromMs) && (beforeMs === null || atMs < beforeMs);
          const day = Math.floor(atMs / 86_400_000);
          const isAfterFrom = from === null || day >= Date.parse(from) / 86_400_000;
          const isBeforeTo = to === null || day <= Date.parse(to) / 86_400_000;
          assert.equal(inRange, isAfterFrom && isBeforeTo, `${atMs} in ${from}..${to}`);
        }
      },
    ),
    { numRuns: 500 },
  );
});

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
