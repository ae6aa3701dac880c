import {
  DAY_MS,
  dayOf,
  FIRST_DAY,
  FIRST_TIMESTAMP_MS,
  formatTimestamp,
  LAST_DAY,
  LAST_TIMESTAMP_MS,
} from './calendar.ts';
import { nearest } from './nearest.ts';
import { quote } from './quote.ts';

export const UTC = 'UTC';

const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
const MAX_CHARACTERS = 32;

interface Zone {
  format: Intl.DateTimeFormat;
  /** The start of each day, in milliseconds. The keys are days, counted from 1970-01-01. */
  starts: Map<number, number>;
}

/** There are about 600 names. Some are valid in any mix of upper and lower case, so the cache is bounded. */
const MAX_ZONES = 1000;
const MAX_DAYS = 4096;
const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone | undefined {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = openZone(name);
    if (zone === undefined) return undefined;
    if (zones.size >= MAX_ZONES) zones.clear();
    zones.set(name, zone);
  }
  return zone;
}

function openZone(timeZone: string): Zone | undefined {
  if (timeZone.length > MAX_CHARACTERS || !NAME.test(timeZone)) return undefined;
  const lower = timeZone.toLowerCase();
  if (knownNames().some((name) => name !== timeZone && name.toLowerCase() === lower)) return undefined;
  try {
    // 'longOffset' includes the seconds that local mean times have.
    return {
      format: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
      starts: new Map(),
    };
  } catch {
    return undefined;
  }
}

let names: readonly string[] | undefined;
const knownNames = () => {
  names ??= [...Intl.supportedValuesOf('timeZone').filter((name) => name !== UTC), UTC];
  return names;
};

export const isTimeZone = (name: string): boolean => zoneOf(name) !== undefined;

export function explainTimeZone(text: string): string {
  const form = 'Send a name of the IANA time zone database, for example Europe/Berlin.';
  if (text === '') return `The value is empty. ${form}`;
  const meant = nearest(text, knownNames());
  return meant === undefined
    ? `${quote(text)} is not a time zone. ${form}`
    : `${quote(text)} is not a time zone: did you mean ${meant}?`;
}

function offsetMs({ format }: Zone, timeMs: number): number {
  const text = format.format(timeMs);
  const offset = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text);
  if (offset === null) throw new Error(`no offset from UTC in ${text}`);
  const [, sign, hours = 0, minutes = 0, seconds = 0] = offset;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

/** Writes times such as 2026-10-25T02:30:00.000+01:00. If a local time occurs twice, the offsets differ. */
export function localTimestamps(name: string): (timeMs: number) => string {
  const zone = zoneOf(name);
  if (zone === undefined) throw new Error(`${name} is not a time zone`);
  // The offset is cached, because reading it takes longer than all other work on a row of a list or export.
  let known = { fromMs: 0, beforeMs: 0, aheadMs: 0 };
  return (timeMs) => {
    if (timeMs < known.fromMs || timeMs >= known.beforeMs) {
      const fromMs = Math.floor(timeMs / SAME_OFFSET_MS) * SAME_OFFSET_MS;
      const beforeMs = fromMs + SAME_OFFSET_MS;
      const aheadMs = offsetMs(zone, timeMs);
      const isSame = offsetMs(zone, fromMs) === aheadMs && offsetMs(zone, beforeMs - 1) === aheadMs;
      known = isSame ? { fromMs, beforeMs, aheadMs } : { fromMs: timeMs, beforeMs: timeMs + 1, aheadMs };
    }
    const { aheadMs } = known;
    const seconds = Math.abs(aheadMs) / 1000;
    const parts = [
      Math.floor(seconds / 3600),
      Math.floor(seconds / 60) % 60,
      ...(seconds % 60 ? [seconds % 60] : []),
    ];
    const offset = parts.map((part) => String(part).padStart(2, '0')).join(':');
    return `${formatTimestamp(timeMs + aheadMs).slice(0, -1)}${aheadMs < 0 ? '-' : '+'}${offset}`;
  };
}

/** No zone changed its offset twice in an hour. So an hour with equal offsets at both ends has no change. */
const SAME_OFFSET_MS = 3_600_000;

/** No zone ever differed from UTC by more than this. */
const MAX_OFFSET_MS = 16 * 3_600_000;

/**
 * Returns the first millisecond at which the clocks show this day. If the zone skipped the day, returns the
 * start of the next day. `day` is counted from 1970-01-01.
 */
export function startOfDayMs(name: string | null, day: number): number {
  if (name === null || name === UTC) return day * DAY_MS;
  const zone = zoneOf(name);
  if (zone === undefined) throw new Error(`${name} is not a time zone`);
  let start = zone.starts.get(day);
  if (start === undefined) {
    start = findStart(zone, day * DAY_MS);
    // The first day includes all earlier times, and the last day includes all later times.
    if (day <= FIRST_DAY) start = Math.min(start, FIRST_TIMESTAMP_MS);
    if (day > LAST_DAY) start = Math.max(start, LAST_TIMESTAMP_MS + 1);
    if (zone.starts.size >= MAX_DAYS) zone.starts.clear();
    zone.starts.set(day, start);
  }
  return start;
}

function findStart(zone: Zone, midnightMs: number): number {
  const [firstMs, lastMs] = [midnightMs - MAX_OFFSET_MS, midnightMs + MAX_OFFSET_MS];
  const before = offsetMs(zone, firstMs);
  const after = offsetMs(zone, lastMs);
  if (before === after) return midnightMs - before;
  const changeMs = findChange(zone, firstMs, lastMs, before);
  // A day with two midnights begins at the first. A day without midnight begins when clocks are set forward.
  return midnightMs - before < changeMs ? midnightMs - before : Math.max(changeMs, midnightMs - after);
}

/** Compares only whole seconds, because clocks are set forward or back at whole seconds. */
function findChange(zone: Zone, fromMs: number, toMs: number, before: number): number {
  let [low, high] = [fromMs / 1000, toMs / 1000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(zone, middle * 1000) === before) low = middle;
    else high = middle;
  }
  return high * 1000;
}

/** Returns the day, counted from 1970-01-01. It is never before FIRST_DAY. */
export function dayOfZone(name: string | null, timeMs: number): number {
  // Zones east of UTC can already be in the next day.
  let day = dayOf(timeMs) + 1;
  while (startOfDayMs(name, day) > timeMs) day--;
  return Math.max(day, FIRST_DAY);
}
