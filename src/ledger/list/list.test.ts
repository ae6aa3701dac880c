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
  type TextField,
  timeRange,
} from './list.ts';

/** A day of any year, by the runtime's calendar. */
const anyDay = fc
  .date({
    min: new Date('0001-01-01T00:00:00.000Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

/** The day that is `days` later, by the runtime's calendar. */
function later(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

function codeOf(from: string | null, to: string | null): string | undefined {
  return checkDateRange({ from, to })?.code;
}

test('a range of 90 days is accepted and one of 91 is refused, across months, years and leap days', () => {
  const edges: [from: string, latestTo: string, tooLate: string][] = [
    ['2026-01-01', '2026-04-01', '2026-04-02'],
    ['2024-01-01', '2024-03-31', '2024-04-01'],
    ['2024-02-29', '2024-05-29', '2024-05-30'],
    ['2023-12-01', '2024-02-29', '2024-03-01'],
    ['2022-12-01', '2023-03-01', '2023-03-02'],
    ['1900-01-01', '1900-04-01', '1900-04-02'],
    ['2000-01-01', '2000-03-31', '2000-04-01'],
    ['0001-01-01', '0001-04-01', '0001-04-02'],
    ['9999-10-01', '9999-12-30', '9999-12-31'],
  ];
  for (const [from, latestTo, tooLate] of edges) {
    assert.equal(codeOf(from, latestTo), undefined, `${from}..${latestTo}`);
    assert.equal(codeOf(from, tooLate), 'date_range_too_long', `${from}..${tooLate}`);
  }
});

test('the error for a range that is too long names its length, the maximum and the latest `to`', () => {
  assert.deepEqual(checkDateRange({ from: '2024-01-01', to: '2024-12-31' }), {
    parameter: 'to',
    code: 'date_range_too_long',
    detail:
      'to (2024-12-31) is 365 days after from (2024-01-01); at most 90 are allowed in a list, ' +
      'and any number in totals and in an export (transactions.csv, transactions.ndjson). ' +
      'With from=2024-01-01, to can be at most 2024-03-31.',
  });
});

test('from and to can be the same day, and from after to is refused', () => {
  assert.equal(codeOf('2026-03-31', '2026-03-31'), undefined);
  assert.deepEqual(checkDateRange({ from: '2026-04-01', to: '2026-03-31' }), {
    parameter: 'from',
    code: 'date_range_inverted',
    detail: 'from (2026-04-01) is after to (2026-03-31). Send the earlier day as from.',
  });
  assert.equal(codeOf('9999-12-31', '0001-01-01'), 'date_range_inverted');
});

test('a range with only one bound, or with none, is never too long', () => {
  for (const [from, to] of [
    [null, null],
    ['0001-01-01', null],
    [null, '9999-12-31'],
  ] as const)
    assert.equal(codeOf(from, to), undefined);
});

test('a range is refused exactly if it is inverted or longer than 90 days, whatever its days are', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -400, max: 400 }), (from, days) => {
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

test('a text field compiles as a filter by equality, and a field of numbers does not', () => {
  const fields: TextField[] = [
    'relatedTo',
    // @ts-expect-error the field has numbers, and a filter's text never equals a number
    'amountMinor',
    // @ts-expect-error the field has numbers, and a filter's text never equals a number
    'paidAtMs',
  ];
  assert.equal(fields.length, 3);
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
