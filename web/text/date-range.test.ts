import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysBefore, isInverted, isLong, quarterBefore } from './date-range.ts';

test('a range of 91 days is too long for a list of the service, and one with an open end is not', () => {
  assert.equal(isLong('2026-01-01', '2026-04-01'), false);
  assert.equal(isLong('2026-01-01', '2026-04-02'), true);
  assert.equal(isLong('2020-01-01', undefined), false);
  assert.equal(isLong(undefined, '2026-03-01'), false);
});

test('an end before the start is reported; open ends and invalid days are left to the service', () => {
  assert.equal(isInverted('2026-03-02', '2026-03-01'), true);
  assert.equal(isInverted('2026-03-01', '2026-03-01'), false);
  for (const [from, to] of [
    [undefined, '2026-03-01'],
    ['2026-02-30', '2020-01-01'],
    ['', ''],
  ])
    assert.equal(isInverted(from, to), false);
});

test('the same days are found in the previous month or year, and a whole month becomes a whole month', () => {
  const cases: [from: string, to: string, months: number, before: [from: string, to: string] | undefined][] =
    [
      ['2026-11-01', '2026-11-25', 1, ['2026-10-01', '2026-10-25']],
      ['2026-11-01', '2026-11-30', 1, ['2026-10-01', '2026-10-31']],
      ['2026-03-01', '2026-03-31', 1, ['2026-02-01', '2026-02-28']],
      ['2026-03-01', '2026-03-30', 1, ['2026-02-01', '2026-02-28']],
      ['2026-01-05', '2026-01-05', 1, ['2025-12-05', '2025-12-05']],
      ['2028-02-29', '2028-02-29', 12, ['2027-02-28', '2027-02-28']],
      ['2026-10-01', '2026-12-31', 12, ['2025-10-01', '2025-12-31']],
      ['2026-10-01', '2026-12-31', 1, undefined],
      ['2025-10-15', '2026-11-15', 12, undefined],
      ['2026-03-02', '2026-03-01', 1, undefined],
      ['', '2026-03-01', 1, undefined],
    ];
  for (const [from, to, months, before] of cases)
    assert.deepEqual(
      daysBefore({ from, to }, months),
      before && { from: before[0], to: before[1] },
      `${from} to ${to}, ${months}`,
    );
});

test('a quarter begins in January, April, July or October', () => {
  assert.deepEqual(quarterBefore('2026-11-22'), { from: '2026-07-01', to: '2026-09-30' });
  assert.deepEqual(quarterBefore('2026-01-01'), { from: '2025-10-01', to: '2025-12-31' });
  assert.deepEqual(quarterBefore('2024-06-30'), { from: '2024-01-01', to: '2024-03-31' });
});
