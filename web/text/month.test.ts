import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfDays, rangeText } from './month.ts';

test('a whole month is named by its name, other ranges by their first and last day, and a single day once', () => {
  assert.equal(nameOfDays('2028-02-01', '2028-02-29'), 'February 2028');
  for (const [from, to, text] of [
    ['2028-02-01', '2028-02-28', '1\u2009\u2013\u200928 Feb 2028'],
    ['2026-10-01', '2026-11-30', '1 Oct\u2009\u2013\u200930 Nov 2026'],
    ['2026-10-05', '2026-10-05', '5 Oct 2026'],
    ['2026-13-01', '2026-13-01', '2026-13-01'],
    ['2026-02-30', '2026-03-01', '2026-02-30 \u2013 1 Mar 2026'],
  ] as const)
    assert.deepEqual([nameOfDays(from, to), rangeText({ from, to })], [undefined, text]);
});
