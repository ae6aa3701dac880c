/* The model of the service, written from SPEC.md. It shares no code with `src`. */

const FIRST_DAY = '0001-01-01';
const LAST_DAY = '9999-12-31';
const FIRST_MS = Date.parse(FIRST_DAY);
const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const MAX_QUARTERS_SET_BACK = 8;

const calendars = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, string>();

function shownDay(timeMs: number, timeZone: string): string {
  let calendar = calendars.get(timeZone);
  if (calendar === undefined) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    calendar = new Intl.DateTimeFormat('en', { timeZone, calendar: 'iso8601', ...parts });
    calendars.set(timeZone, calendar);
  }
  const shown = Object.fromEntries(calendar.formatToParts(timeMs).map(({ type, value }) => [type, value]));
  const { year = '', month = '', day = '' } = shown;
  // When year 1 begins in UTC, clocks behind UTC still show 31 December. That day counts as the first day.
  if (timeMs < FIRST_MS + DAY_MS && month === '12') return FIRST_DAY;
  return year.length > 4 ? LAST_DAY : `${year.padStart(4, '0')}-${month}-${day}`;
}

/** A day begins when the clocks first show it. If they go back over midnight, the old day does not return. */
export function dayOf(timeMs: number, timeZone: string | null): string {
  if (timeZone === null || timeZone === 'UTC') return new Date(timeMs).toISOString().slice(0, 10);
  const name = `${timeMs} ${timeZone}`;
  let day = known.get(name);
  if (day === undefined) {
    const quarter = Math.floor(timeMs / QUARTER_MS);
    const before = Array.from({ length: MAX_QUARTERS_SET_BACK }, (_, back) => (quarter - back) * QUARTER_MS);
    day = [timeMs, ...before].map((ms) => shownDay(ms, timeZone)).reduce((a, b) => (a > b ? a : b));
    if (known.size > 100_000) known.clear();
    known.set(name, day);
  }
  return day;
}
