import { toMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../../client/src/totals.ts';
import { firstDayOf, formatDay, monthOf, parseDay } from '../../values/calendar.ts';

/** Shortest first. */
export const UNITS = ['day', 'week', 'month', 'year'] as const;
export type Unit = (typeof UNITS)[number];

export interface Period {
  from: string;
  to: string;
  count: number;
  amountMinor: bigint;
}

export interface Periods {
  unit: Unit;
  periods: Period[];
}

/** Both days are included. Their numbers count from 1970-01-01. */
interface Days {
  first: number;
  last: number;
}

export function sumPeriods(
  rows: readonly TotalsRow[],
  days: Days,
  maxBars: number,
  unit: Unit = UNITS.find((candidate) => countPeriods(days, candidate) <= maxBars) ?? 'year',
): Periods {
  const periods: Period[] = [];
  const byStart = new Map<number, Period>();
  for (let first = days.first; first <= days.last; ) {
    const start = startOf(first, unit);
    const next = startOfNext(start, unit);
    const period = {
      from: formatDay(first),
      to: formatDay(Math.min(next - 1, days.last)),
      count: 0,
      amountMinor: 0n,
    };
    periods.push(period);
    byStart.set(start, period);
    first = next;
  }
  for (const { day, count, amount } of rows) {
    const number = parseDay(day);
    const period = number === undefined ? undefined : byStart.get(startOf(number, unit));
    if (period === undefined) continue;
    period.count += count;
    period.amountMinor += toMinorUnits(amount);
  }
  return { unit, periods };
}

/** If there are more than `maxBars` years, days before the first row and after the last row are left out. */
export function chartDays(
  rows: readonly TotalsRow[],
  { from, to }: { from?: string; to?: string },
  today: string,
  maxBars: number,
): Days | undefined {
  const withRows = rows.map(({ day }) => parseDay(day)).filter((number) => number !== undefined);
  const oldest = withRows[0];
  const newest = withRows.at(-1);
  const first = parseDay(from) ?? oldest ?? parseDay(to);
  if (first === undefined) return undefined;
  const end = parseDay(to) ?? Math.max(parseDay(today) ?? first, newest ?? first);
  const days = { first, last: Math.max(first, end) };
  if (oldest === undefined || newest === undefined || countPeriods(days, 'year') <= maxBars) return days;
  return { first: Math.max(first, oldest), last: Math.min(days.last, newest) };
}

function countPeriods({ first, last }: Days, unit: Unit): number {
  if (unit === 'day') return last - first + 1;
  if (unit === 'week') return (startOf(last, unit) - startOf(first, unit)) / 7 + 1;
  return indexOf(last, unit) - indexOf(first, unit) + 1;
}

const MONTHS = { month: 1, year: 12 } as const;
const indexOf = (day: number, unit: keyof typeof MONTHS) => Math.floor(monthOf(day) / MONTHS[unit]);

function startOf(day: number, unit: Unit): number {
  if (unit === 'day') return day;
  // 1970-01-01 was a Thursday, and weeks begin on Mondays.
  if (unit === 'week') return day - ((((day + 3) % 7) + 7) % 7);
  return firstDayOf(indexOf(day, unit) * MONTHS[unit]);
}

function startOfNext(start: number, unit: Unit): number {
  if (unit === 'day') return start + 1;
  if (unit === 'week') return start + 7;
  return firstDayOf(monthOf(start) + MONTHS[unit]);
}
