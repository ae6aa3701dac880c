import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import { fc } from '../../test/rig/run/properties.ts';
import { addDays, formatDay, parseDay } from '../../values/calendar.ts';
import { chartDays, sumPeriods, UNITS } from './periods.ts';

const row = (day: string, amount: string, count = 1) => ({
  day,
  currencyCode: 'EUR',
  status: 'completed',
  count,
  amount,
});
const daysFrom = (from: string, to: string) => ({
  first: parseDay(from) as number,
  last: parseDay(to) as number,
});

test('weeks begin on Mondays, and the first and last one are cut to the range', () => {
  const { unit, periods } = sumPeriods(
    [row('2026-06-07', '1.00'), row('2026-06-08', '2.00'), row('2026-06-14', '4.00')],
    daysFrom('2026-06-05', '2026-06-17'),
    5,
  );
  assert.equal(unit, 'week');
  assert.deepEqual(
    periods.map(({ from, to, amountMinor }) => [from, to, amountMinor]),
    [
      ['2026-06-05', '2026-06-07', 100n],
      ['2026-06-08', '2026-06-14', 600n],
      ['2026-06-15', '2026-06-17', 0n],
    ],
  );
});

test('longer ranges are summed into months, then years', () => {
  const rows = [row('2025-12-31', '1.00'), row('2026-01-01', '2.00')];
  const months = sumPeriods(rows, daysFrom('2025-11-10', '2026-02-10'), 6);
  assert.deepEqual(
    [months.unit, months.periods.map(({ from, to }) => `${from} ${to}`)],
    [
      'month',
      ['2025-11-10 2025-11-30', '2025-12-01 2025-12-31', '2026-01-01 2026-01-31', '2026-02-01 2026-02-10'],
    ],
  );
  const years = sumPeriods(rows, daysFrom('2025-11-10', '2026-02-10'), 2);
  assert.deepEqual([years.unit, years.periods.map(({ amountMinor }) => amountMinor)], ['year', [100n, 200n]]);
});

const number = fc.integer({ min: -40_000, max: 60_000 });

test('the periods of any range cover each of its days once, and their sums are those of the days', () => {
  fc.assert(
    fc.property(
      number,
      fc.nat(4000),
      fc.integer({ min: 1, max: 120 }),
      fc.array(fc.tuple(fc.nat(4000), fc.bigInt(-(10n ** 30n), 10n ** 30n)), { maxLength: 30 }),
      (first, length, maxBars, amounts) => {
        const days = { first, last: first + length };
        const rows = amounts
          .filter(([offset]) => offset <= length)
          .map(([offset, minor]) => row(formatDay(first + offset), fromMinorUnits(minor)));
        const { unit, periods } = sumPeriods(rows, days, maxBars);
        assert.equal(periods[0]?.from, formatDay(first));
        assert.equal(periods.at(-1)?.to, formatDay(days.last));
        for (const [index, { from, to }] of periods.entries()) {
          assert.ok(from <= to);
          if (index > 0) assert.equal(from, addDays(periods[index - 1]?.to as string, 1));
          const inside = rows.filter(({ day }) => from <= day && day <= to);
          assert.equal(periods[index]?.count, inside.length);
          const sum = inside.reduce((total, { amount }) => total + toMinorUnits(amount), 0n);
          assert.equal(periods[index]?.amountMinor, sum);
        }
        assert.ok(periods.length <= maxBars || unit === 'year');
        const shorter = UNITS[UNITS.indexOf(unit) - 1];
        if (shorter === 'day') assert.ok(length + 1 > maxBars);
      },
    ),
  );
});

test('an open range begins with the first transaction and ends today, or with a later one', () => {
  const rows = [row('2026-03-05', '1.00'), row('2026-03-09', '1.00')];
  const shown = (range: { from?: string; to?: string }, today = '2026-03-20') => {
    const days = chartDays(rows, range, today, 100);
    return days && [formatDay(days.first), formatDay(days.last)];
  };
  assert.deepEqual(shown({}), ['2026-03-05', '2026-03-20']);
  assert.deepEqual(shown({}, '2026-03-06'), ['2026-03-05', '2026-03-09']);
  assert.deepEqual(shown({ from: '2026-03-01' }), ['2026-03-01', '2026-03-20']);
  assert.deepEqual(shown({ to: '2026-03-31' }), ['2026-03-05', '2026-03-31']);
  assert.deepEqual(shown({ from: '0001-01-01', to: '9999-12-31' }), ['2026-03-05', '2026-03-09']);
  assert.equal(chartDays([], {}, '2026-03-20', 100), undefined);
});
