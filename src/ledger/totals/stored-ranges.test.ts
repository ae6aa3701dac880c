import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/rig/run/properties.ts';
import { firstDayOf, monthOf, parseDay } from '../../values/calendar.ts';
import { storedRanges } from './stored-ranges.ts';
import type { PeriodRange } from './totals.ts';

const day = (text: string) => parseDay(text) as number;
const month = (text: string) => monthOf(day(`${text}-01`));
const rangesOf = (from: string | null, to: string | null) =>
  storedRanges({ fromDay: from && day(from), toDay: to && day(to), by: null } as never);

test('a range of whole months reads months alone', () => {
  assert.deepEqual(rangesOf('2026-02-01', '2026-03-31'), {
    days: [],
    months: [{ from: month('2026-02'), to: month('2026-03') }],
  });
  assert.deepEqual(rangesOf('1969-12-01', '1969-12-31'), { days: [], months: [{ from: -1, to: -1 }] });
});

test('a range without ends reads every month', () => {
  assert.deepEqual(rangesOf(null, null), { days: [], months: [{ from: null, to: null }] });
});

test('days at the edges are read one by one, and the months between as a whole', () => {
  assert.deepEqual(rangesOf('2025-12-31', '2026-03-01'), {
    days: [
      { from: day('2025-12-31'), to: day('2025-12-31') },
      { from: day('2026-03-01'), to: day('2026-03-01') },
    ],
    months: [{ from: month('2026-01'), to: month('2026-02') }],
  });
  assert.deepEqual(rangesOf('2026-01-02', null), {
    days: [{ from: day('2026-01-02'), to: day('2026-01-31') }],
    months: [{ from: month('2026-02'), to: null }],
  });
  assert.deepEqual(rangesOf(null, '2024-02-28'), {
    days: [{ from: day('2024-02-01'), to: day('2024-02-28') }],
    months: [{ from: null, to: month('2024-01') }],
  });
});

test('a range without a whole month reads days alone, as totals by day do', () => {
  for (const [from, to] of [
    ['2026-03-02', '2026-03-31'],
    ['2026-03-01', '2026-03-30'],
    ['2026-01-02', '2026-02-27'],
    ['2026-03-05', '2026-03-05'],
  ] as const)
    assert.deepEqual(rangesOf(from, to), { days: [{ from: day(from), to: day(to) }], months: [] });
  assert.deepEqual(storedRanges({ fromDay: null, toDay: 7, by: 'day' }), {
    days: [{ from: null, to: 7 }],
    months: [],
  });
});

test('each day of any range is read exactly once, and no other', () => {
  const anyDay = fc.integer({ min: day('0001-01-01'), max: day('9999-12-31') });
  const end = fc.option(anyDay);
  fc.assert(
    fc.property(end, fc.option(fc.integer({ min: 0, max: 200 })), anyDay, (fromDay, length, other) => {
      const toDay = length === null ? null : (fromDay ?? other) + length;
      const { days, months } = storedRanges({ fromDay, toDay, by: null });
      const edges = [fromDay, toDay].flatMap((edge) => (edge === null ? [] : [edge - 1, edge, edge + 1]));
      const firsts = [fromDay, toDay].flatMap((edge) =>
        edge === null ? [] : [-1, 0, 1, 2].map((more) => firstDayOf(monthOf(edge) + more)),
      );
      for (const one of [other, ...edges, ...firsts, ...firsts.map((first) => first - 1)]) {
        const times =
          days.filter((range) => isIn(one, range)).length +
          months.filter((range) => isIn(monthOf(one), range)).length;
        assert.equal(times, isIn(one, { from: fromDay, to: toDay }) ? 1 : 0, `day ${one}`);
      }
      assert.ok(days.every(({ from, to }) => (to ?? 0) - (from ?? 0) < 62));
    }),
  );
});

const isIn = (value: number, { from, to }: PeriodRange) =>
  (from === null || value >= from) && (to === null || value <= to);
