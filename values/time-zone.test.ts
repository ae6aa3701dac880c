import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { inTier } from '../test/rig/run/tier.ts';
import { formatDay, parseDay } from './calendar.ts';
import { dayOfZone, isTimeZone, localTimestamps, startOfDayMs } from './time-zone.ts';

const start = (zone: string | null, day: string) =>
  new Date(startOfDayMs(zone, parseDay(day) as number)).toISOString();

test('clocks that show the year 10000 show its day too', () => {
  const timeMs = Date.parse('9999-12-31T23:59:59.999Z');
  assert.equal(localTimestamps('Asia/Tokyo')(timeMs), '+010000-01-01T08:59:59.999+09:00');
});

test('names of the IANA time zone database are known, with their capitals, and offsets are not', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'US/Eastern', 'Etc/GMT+5', 'America/Argentina/ComodRivadavia'])
    assert.ok(isTimeZone(name), name);
  for (const name of ['', 'utc', 'europe/berlin', '+01:00', 'Europe/Berlin ', 'x'.repeat(1e5)])
    assert.ok(!isTimeZone(name), name.slice(0, 20));
});

test('a day begins at midnight of the clocks of its time zone', () => {
  for (const [zone, day, expected] of [
    [null, '2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['UTC', '2026-03-29', '2026-03-29T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
    // No midnight: the clocks go from 23:59:59 to 01:00.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z'],
    // Two midnights: the clocks go from 00:59:59 back to 00:00. The day begins at the first midnight.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // The clocks go from 00:00:59 back to 23:01 of the day before.
    ['America/St_Johns', '2006-10-29', '2006-10-29T02:30:00.000Z'],
    // Samoa skipped this day, so the day is empty.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
    // Before there were time zones, clocks showed the local mean time of the place, to the second.
    ['Europe/Berlin', '0001-01-01', '0000-12-31T23:06:32.000Z'],
    ['America/New_York', '9999-12-31', '9999-12-31T05:00:00.000Z'],
    ['America/New_York', '0001-01-01', '0001-01-01T00:00:00.000Z'],
  ] as const)
    assert.equal(start(zone, day), expected, `${zone} ${day}`);
});

test('each millisecond is in exactly one day: the shown day, or the later one if clocks were set back over midnight', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const calendars = new Map<string, Intl.DateTimeFormat>();
  const shownDay = (timeZone: string, timeMs: number) => {
    let calendar = calendars.get(timeZone);
    if (calendar === undefined) {
      calendar = new Intl.DateTimeFormat('sv-SE', { timeZone, calendar: 'iso8601' });
      calendars.set(timeZone, calendar);
    }
    return calendar.format(timeMs);
  };
  const anyTime = fc.integer({ min: Date.parse('1850-01-01'), max: Date.parse('2100-01-01') });
  fc.assert(
    fc.property(fc.constantFrom(...zones), anyTime, fc.nat(3), (zone, timeMs, more) => {
      const day = dayOfZone(zone, timeMs) + more;
      const [from, to] = [startOfDayMs(zone, day), startOfDayMs(zone, day + 1)];
      assert.ok(from <= to);
      if (from === to) return;
      assert.equal(shownDay(zone, from), formatDay(day), 'at its first millisecond');
      assert.ok(shownDay(zone, from - 1) < formatDay(day), 'a millisecond before');
      assert.equal(dayOfZone(zone, from), day);
      assert.equal(dayOfZone(zone, to - 1), day);
      const middle = shownDay(zone, Math.floor((from + to) / 2));
      assert.equal(middle, formatDay(day));
    }),
    { numRuns: inTier({ short: 500, long: 2000 }) },
  );
});
