import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../test/rig/run/properties.ts';
import {
  addDays,
  DAY_MS,
  dayOf,
  FIRST_TIMESTAMP_MS,
  firstDayOf,
  formatDay,
  formatMonth,
  formatTimestamp,
  LAST_TIMESTAMP_MS,
  monthOf,
  parseDay,
  parseTimestamp,
} from './calendar.ts';

const FIRST_DAY = dayOf(FIRST_TIMESTAMP_MS);
const LAST_DAY = dayOf(LAST_TIMESTAMP_MS);

function isReal(text: string): boolean {
  const date = new Date(text);
  return !text.startsWith('0000') && !Number.isNaN(date.getTime()) && date.toISOString() === text;
}

test('the calendar reaches from the first day of year 1 to the last of year 9999', () => {
  assert.equal(new Date(FIRST_TIMESTAMP_MS).toISOString(), '0001-01-01T00:00:00.000Z');
  assert.equal(new Date(LAST_TIMESTAMP_MS).toISOString(), '9999-12-31T23:59:59.999Z');
  assert.equal(parseDay('0001-01-01'), FIRST_DAY);
  assert.equal(parseDay('9999-12-31'), LAST_DAY);
  assert.equal(parseDay('0000-12-31'), undefined);
  assert.equal(parseTimestamp('0000-12-31T23:59:59.999Z'), undefined);
});

test('no day is before the first or after the last day of the calendar', () => {
  for (const [day, days, expected] of [
    ['0001-01-01', -1, '0001-01-01'],
    ['0001-01-02', -1, '0001-01-01'],
    ['9999-12-31', 3, '9999-12-31'],
    ['9999-12-30', 1, '9999-12-31'],
  ] as const)
    assert.equal(addDays(day, days), expected);
});

test('a day is read as it is written, in any year', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST_DAY, max: LAST_DAY }), (day) => {
      const text = formatDay(day);
      assert.equal(text, new Date(day * DAY_MS).toISOString().slice(0, 10));
      assert.equal(parseDay(text), day);
    }),
  );
});

test('ten characters in the form of a day are a day only if the calendar has it', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{4}-[01]\d-[0-3]\d$/), (text) => {
      assert.equal(parseDay(text) !== undefined, isReal(`${text}T00:00:00.000Z`), text);
    }),
    { numRuns: 1000 },
  );
});

test('a day in any other form is refused', () => {
  for (const text of [
    ...['', '2026-3-1', '2026-03-1', '26-03-01', '2026/03/01', '2026-03/01', '20260301', '2026-03'],
    ...[' 2026-03-01', '2026-03-01 ', '2026-03-01\n', '2026-03-01T', '2026-03-01T00:00:00Z', '+2026-03-01'],
    ...['-2026-03-01', '02026-03-01', '2026-+3-01', '2026- 3-01', '2026-03-0x', '２026-03-01', '٢٠٢٦-03-01'],
    ...['2026–03–01', '01-03-2026', 'today', '2026-W10-1'],
  ])
    assert.equal(parseDay(text), undefined, JSON.stringify(text));
});

test('any timestamp is written as the runtime writes it, and is read with zero to three decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST_TIMESTAMP_MS, max: LAST_TIMESTAMP_MS }), (timestampMs) => {
      const text = formatTimestamp(timestampMs);
      assert.equal(text, new Date(timestampMs).toISOString());
      assert.equal(parseTimestamp(text), timestampMs);
      for (const cut of [1, 2, '.000'.length]) {
        const shorter = `${text.slice(0, -1 - cut)}Z`;
        assert.equal(parseTimestamp(shorter), Date.parse(shorter));
      }
    }),
  );
});

test('a text in the form of a timestamp is read only if the time exists', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-6]\d:[0-6]\d\.\d{3}Z$/), (text) => {
      assert.equal(parseTimestamp(text), isReal(text) ? Date.parse(text) : undefined, text);
    }),
    { numRuns: 1000 },
  );
});

test('a timestamp that needs rounding, converting or guessing is refused', () => {
  for (const text of [
    ...['', '2026-03-31', '2026-03-31T09:30Z', '2026-03-31T09:30:05', '2026-03-31T09:30:05.1234Z'],
    ...['2026-03-31T09:30:05.Z', '2026-03-31T09:30:05+00:00', '2026-03-31T09:30:05.000+02:00'],
    ...['2026-03-31T09:30:05,000Z', '2026-03-31 09:30:05Z', '2026-03-31t09:30:05Z', '2026-03-31T09:30:05z'],
    ...['2026-03-31T24:00:00Z', '2026-03-31T23:60:00Z', '2026-12-31T23:59:60Z', '2026-02-29T00:00:00Z'],
    ...['2026-03-31T9:30:05Z', '2026-03-31T09-30-05Z', ' 2026-03-31T09:30:05Z', '2026-03-31T09:30:05Z '],
    ...['2026-03-31T09:30:05ZZ', '2026-03-31T09:30:05.00xZ', '2026-03-31T0x:30:05Z', '1774949405000'],
  ])
    assert.equal(parseTimestamp(text), undefined, JSON.stringify(text));
});

test('a month counts from January 1970, and begins on its first day', () => {
  assert.deepEqual(
    ['1969-12-31', '1970-01-01', '2026-03-31'].map((day) => monthOf(parseDay(day) as number)),
    [-1, 0, 674],
  );
  for (let month = monthOf(FIRST_DAY); month <= monthOf(LAST_DAY); month++) {
    const first = firstDayOf(month);
    if (monthOf(first - 1) !== month - 1 || monthOf(first) !== month) assert.fail(`month ${month}`);
    if (`${formatMonth(month)}-01` !== formatDay(first)) assert.fail(`day ${first}`);
  }
  assert.equal(firstDayOf(monthOf(FIRST_DAY)), FIRST_DAY);
});
