export type TimeZoneChoice = 'utc' | 'local';

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** The name of the browser's time zone. */
export function localZoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'local';
}

/** The offset of a local time, as +02:00. Every local time shows it, because an hour repeats when clocks are set back. */
function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const sign = minutes < 0 ? '\u2212' : '+';
  return `${sign}${twoDigits(Math.floor(Math.abs(minutes) / 60))}:${twoDigits(Math.abs(minutes) % 60)}`;
}

/** A time in UTC, to the minute: "2026-07-01 06:30". */
export const utcMinute = (timeMs: number): string =>
  new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ');

interface TimeParts {
  day: string;
  time: string;
  /** UTC, or the offset from it. */
  zone: string;
}

/** A timestamp of the API in parts, to the second or with milliseconds. */
export function timeParts(timestamp: string, zone: TimeZoneChoice, withMilliseconds = false): TimeParts {
  const timeLength = withMilliseconds ? 12 : 8;
  if (zone === 'utc') {
    return { day: timestamp.slice(0, 10), time: timestamp.slice(11, 11 + timeLength), zone: 'UTC' };
  }
  const date = new Date(timestamp);
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
  const time = `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}:${twoDigits(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
  return { day, time: time.slice(0, timeLength), zone: offsetText(date) };
}
