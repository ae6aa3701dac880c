import { type DayRange, monthOf, utcDay } from './date-range.ts';

const HOUR_MS = 3_600_000;
/** No zone is further from UTC. */
const MAX_OFFSET_MS = 16 * HOUR_MS;

/** A month of a time zone: the transactions created from `fromMs` on and before `beforeMs`. */
export interface LocalMonth {
  /** As 2026-06. */
  month: string;
  zone: string;
  /** As "June 2026 in Europe/Berlin". */
  label: string;
  fromMs: number;
  beforeMs: number;
  /** The UTC days that cover it. */
  days: DayRange;
}

/** The wall clock of a zone at an instant, as the milliseconds of the same time in UTC. */
export function wallClock(zone: string): (timeMs: number) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (timeMs) => {
    const parts = new Map(format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = (
      ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
    ).map((name) => parts.get(name));
    return Date.UTC(year, month - 1, day, hour, minute, second) + (timeMs - Math.floor(timeMs / 1000) * 1000);
  };
}

/** The instant at which a day begins in a zone: midnight, or the end of the gap if clocks skip midnight. */
export function startOfDay(day: string, zone: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  const clock = wallClock(zone);
  // The clock shows an earlier day at `before`, and this one or a later one at `reached`.
  let [before, reached] = [midnight - MAX_OFFSET_MS, midnight + MAX_OFFSET_MS];
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (clock(middle) < midnight) before = middle;
    else reached = middle;
  }
  return reached;
}

/** The month of a zone that has the name of the filter's UTC month; undefined if the filter is no month, or both are the same. */
export function localMonth(from: string | undefined, to: string | undefined, zone: string, today: string) {
  if (from === undefined || to === undefined) return undefined;
  const utc = monthOf(from);
  // The current month can end today, because it has nothing later.
  const isMonth = from === utc.from && (to === utc.to || (to === today && to < utc.to && to >= from));
  if (!isMonth || from < '1970-02-01') return undefined;
  const fromMs = startOfDay(from, zone);
  const beforeMs = startOfDay(monthOf(from, 1).from, zone);
  if (fromMs === Date.parse(`${from}T00:00:00.000Z`) && beforeMs === fromMs + daysOf(utc) * 24 * HOUR_MS)
    return undefined;
  const days = { from: utcDay(fromMs), to: utcDay(beforeMs - 1) };
  const name = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const label = `${name.format(Date.parse(from))} in ${zone}`;
  return { month: from.slice(0, 7), zone, label, fromMs, beforeMs, days } satisfies LocalMonth;
}

const daysOf = ({ to }: DayRange) => Number(to.slice(8));

/** Whether a transaction was created in a month. */
export function isInMonth(createdAt: string, { fromMs, beforeMs }: LocalMonth): boolean {
  const createdAtMs = Date.parse(createdAt);
  return createdAtMs >= fromMs && createdAtMs < beforeMs;
}
