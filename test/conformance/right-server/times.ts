const DAY_MS = 86_400_000;

/** Reads `YYYY-MM-DD`, a real day of the years 0001 to 9999. Returns its beginning in UTC, in milliseconds. */
export function parseDay(text: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) || text.startsWith('0000')) return undefined;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  // A day that does not exist is either NaN or another day.
  return Number.isNaN(ms) || formatDay(ms) !== text ? undefined : ms;
}

export function formatDay(ms: number): string {
  return formatTime(ms).slice(0, 10);
}

export function addDays(dayMs: number, days: number): number {
  return dayMs + days * DAY_MS;
}

export function daysBetween(fromMs: number, toMs: number): number {
  return (toMs - fromMs) / DAY_MS;
}

/** Reads an ISO 8601 time in UTC with at most milliseconds; finer ones are refused, not rounded. */
export function parseTime(text: string): number | undefined {
  const parts = /^([0-9]{4}-[0-9]{2}-[0-9]{2})T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,3})?Z$/.exec(text);
  if (parts?.[1] === undefined || parseDay(parts[1]) === undefined) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || formatDay(ms) !== parts[1] ? undefined : ms;
}

/** Whether it is a name of the IANA time zone database, in its capitals. An offset such as `+01:00` is none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Z][\w+-]*(\/[A-Z][\w+-]*)*$/.test(text)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone === text || timeZone.toLowerCase() !== text.toLowerCase();
  } catch {
    return false;
  }
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** What the clocks of a time zone show at a moment, as if they showed UTC: its days are then UTC days. */
export function clockMs(ms: number, timeZone: string): number {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    clocks.set(timeZone, clock);
  }
  const milliseconds = ((ms % 1000) + 1000) % 1000;
  return Date.parse(`${clock.format(ms).replace(' ', 'T')}Z`) + milliseconds;
}

export function formatTime(ms: number): string {
  return new Date(ms).toISOString();
}
