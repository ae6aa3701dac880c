const DAY_MS = 86_400_000;
export const MAX_RANGE_DAYS = 90;

/** Days since 1970-01-01 of YYYY-MM-DD, or undefined if the calendar has no such day. */
export function dayNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const timeMs = Date.parse(`${text}T00:00:00.000Z`);
  // Some browsers parse 2026-02-30 as a day in March.
  return Number.isNaN(timeMs) || dayText(timeMs / DAY_MS) !== text ? undefined : timeMs / DAY_MS;
}

/** YYYY-MM-DD of a number of days since 1970-01-01. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The day that is `days` after another day. */
export function addDays(day: string, days: number): string {
  const number = dayNumber(day);
  return number === undefined ? day : dayText(number + days);
}

/** Days, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The first and the last day of the month of a day, or of one `months` later. */
export function monthOf(day: string, months = 0): DayRange {
  const [year = 0, month = 0] = day.split('-').map(Number);
  const at = (monthIndex: number, date: number) => dayText(Date.UTC(year, monthIndex, date) / DAY_MS);
  return { from: at(month - 1 + months, 1), to: at(month + months, 0) };
}

/** The first and the last day of the quarter of a day, or of one `quarters` later. */
export function quarterOf(day: string, quarters = 0): DayRange {
  const monthInQuarter = (Number(day.split('-')[1]) - 1) % 3;
  const first = 3 * quarters - monthInQuarter;
  return { from: monthOf(day, first).from, to: monthOf(day, first + 2).to };
}

export type RangeAdvice =
  | { kind: 'fine' }
  | { kind: 'inverted' }
  /** With the latest `to` for this `from`, and the earliest `from` for this `to`. */
  | { kind: 'long'; days: number; latestTo: string; earliestFrom: string };

/** Whether the service would refuse a range, checked before the request. */
export function adviseRange(from: string | undefined, to: string | undefined): RangeAdvice {
  const first = dayNumber(from);
  const last = dayNumber(to);
  if (first === undefined || last === undefined) return { kind: 'fine' };
  const days = last - first;
  if (days < 0) return { kind: 'inverted' };
  if (days <= MAX_RANGE_DAYS) return { kind: 'fine' };
  return {
    kind: 'long',
    days,
    latestTo: dayText(first + MAX_RANGE_DAYS),
    earliestFrom: dayText(last - MAX_RANGE_DAYS),
  };
}
