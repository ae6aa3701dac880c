/* Days as texts, YYYY-MM-DD. It is in the page, which needs no more of the calendar. */

const DAY_MS = 86_400_000;

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
