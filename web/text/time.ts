import { nowMs } from '../state/clock.ts';

export const UTC = 'UTC';

/** The zones of ships and of clocks without a place, which no browser lists. */
const FIXED = /^Etc\/GMT[+-]\d+$/;

/**
 * The name of the browser's time zone, or UTC in place of a name that only the browser knows, such as
 * Etc/Unknown.
 */
export function localZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return FIXED.test(timeZone) || Intl.supportedValuesOf('timeZone').includes(timeZone) ? timeZone : UTC;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  return format;
}

/** True if the browser knows a time zone. */
export function isTimeZone(name: string): boolean {
  try {
    return formatOf(name) !== undefined;
  } catch {
    return false;
  }
}

interface Clock {
  /** The local time in the time zone, as 2026-03-29T03:30:00.007 */
  shown: string;
  /** The offset from UTC, as +02:00, or UTC. */
  offset: string;
}

export function clockOf(zone: string, timeMs: number): Clock {
  // Local mean times have seconds too.
  const found =
    zone === UTC ? null : /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(formatOf(zone).format(timeMs));
  const [, sign = '+', hours = '00', minutes = '00', seconds] = found ?? [];
  const offsetMs = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) * 1000;
  const text = [hours, minutes, seconds].filter((part) => part !== undefined).join(':');
  return {
    shown: new Date(timeMs + (sign === '-' ? -offsetMs : offsetMs)).toISOString().slice(0, -1),
    offset: zone === UTC ? UTC : `${sign === '-' ? '\u2212' : '+'}${text}`,
  };
}

/** The day of an instant in a time zone, or today by the clock of the service. */
export const dayIn = (zone: string, timeMs = nowMs()): string =>
  clockOf(zone, timeMs).shown.split('T')[0] as string;

interface TimeParts {
  day: string;
  time: string;
  /** UTC, or the offset from it. */
  offset: string;
}

/** A timestamp of the API in parts, to the second. */
export function timeParts(timestamp: string, zone: string): TimeParts {
  const { shown, offset } = clockOf(zone, Date.parse(timestamp));
  const [day = '', time = ''] = shown.split('T');
  return { day, time: time.slice(0, 8), offset };
}

/** Further apart than a time and its repetition. */
const REPEATED_WITHIN_MS = 3 * 3_600_000;

/**
 * True if the clocks of a time zone show the same at another instant, because they are set back between the
 * two.
 */
export function isRepeated(timestamp: string, zone: string): boolean {
  const timeMs = Date.parse(timestamp);
  const { shown } = clockOf(zone, timeMs);
  const shownMs = (at: number) => Date.parse(`${clockOf(zone, at).shown}Z`);
  return [timeMs - REPEATED_WITHIN_MS, timeMs + REPEATED_WITHIN_MS].some((otherMs) => {
    const shiftMs = shownMs(timeMs) - timeMs - (shownMs(otherMs) - otherMs);
    return shiftMs !== 0 && clockOf(zone, timeMs + shiftMs).shown === shown;
  });
}
