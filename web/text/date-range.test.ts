import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/rig/properties.ts';
import { addDays, adviseRange, monthOf, quarterOf } from './date-range.ts';

const DAY_MS = 86_400_000;
const day = fc
  .integer({ min: Date.UTC(1900, 0, 1) / DAY_MS, max: Date.UTC(2200, 0, 1) / DAY_MS })
  .map((number) => new Date(number * DAY_MS).toISOString().slice(0, 10));

test('the month of a day, and the one before it, also in January and in a leap year', () => {
  assert.deepEqual(monthOf('2026-06-30'), { from: '2026-06-01', to: '2026-06-30' });
  assert.deepEqual(monthOf('2026-01-15', -1), { from: '2025-12-01', to: '2025-12-31' });
  assert.deepEqual(monthOf('2028-03-31', -1), { from: '2028-02-01', to: '2028-02-29' });
});

test('a month contains its day, and ends where the next one begins', () => {
  fc.assert(
    fc.property(day, (one) => {
      const { from, to } = monthOf(one);
      assert.ok(from <= one && one <= to && from.endsWith('-01'));
      assert.equal(monthOf(one, 1).from, addDays(to, 1));
    }),
  );
});

test('a range of 90 days is valid, and one of 91 gets two valid ranges', () => {
  assert.deepEqual(adviseRange('2026-01-01', '2026-04-01'), { kind: 'fine' });
  assert.deepEqual(adviseRange('2026-01-01', '2026-04-02'), {
    kind: 'long',
    days: 91,
    latestTo: '2026-04-01',
    earliestFrom: '2026-01-02',
  });
});

test('each offered range is valid, and would not be with a day more', () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 91, max: 5000 }), (from, days) => {
      const to = addDays(from, days);
      const advice = adviseRange(from, to);
      assert.ok(advice.kind === 'long' && advice.days === days);
      for (const [first, last, longer] of [
        [from, advice.latestTo, addDays(advice.latestTo, 1)],
        [advice.earliestFrom, to, addDays(to, 1)],
      ] as const) {
        assert.equal(adviseRange(first, last).kind, 'fine');
        assert.equal(adviseRange(first, longer).kind, 'long');
      }
    }),
  );
});

test('an end before the start is reported; open ends and invalid days are left to the service', () => {
  assert.equal(adviseRange('2026-03-02', '2026-03-01').kind, 'inverted');
  assert.equal(adviseRange('2026-03-01', '2026-03-01').kind, 'fine');
  for (const [from, to] of [
    [undefined, '2026-03-01'],
    ['2020-01-01', undefined],
    ['2026-02-30', '2020-01-01'],
    ['2020-1-1', '2026-01-01'],
    ['', ''],
  ])
    assert.equal(adviseRange(from, to).kind, 'fine');
});

test('a quarter begins in January, April, July or October', () => {
  assert.deepEqual(quarterOf('2026-11-22'), { from: '2026-10-01', to: '2026-12-31' });
  assert.deepEqual(quarterOf('2026-11-22', -1), { from: '2026-07-01', to: '2026-09-30' });
  assert.deepEqual(quarterOf('2026-01-01', -1), { from: '2025-10-01', to: '2025-12-31' });
  assert.deepEqual(quarterOf('2024-03-31'), { from: '2024-01-01', to: '2024-03-31' });
});
