/**
 * Days of the proleptic Gregorian calendar, years 0001 to 9999: as YYYY-MM-DD, and counted from 1970-01-01.
 * The page uses only this part of the calendar.
 */

export const DAY_MS = 86_400_000;

/**
 * A date in days since 1970-01-01. Date.UTC takes the years 0 to 99 for those of the last century: 400 years
 * later, the calendar is the same.
 */
const dayAt = (year: number, month: number, date: number): number =>
  Date.UTC(year + 400, month - 1, date) / DAY_MS - 146_097;

/** A date in days since 1970-01-01, or undefined if the calendar has no such date. */
export function dayOfDate(year: number, month: number, date: number): number | undefined {
  const day = dayAt(year, month, date);
  const isDay =
    year >= 1 && month >= 1 && month <= 12 && date >= 1 && (date < 29 || day <= dayAt(year, month + 1, 0));
  return isDay ? day : undefined;
}

/** Days since 1970-01-01 of a valid day in the form YYYY-MM-DD, or undefined. */
export function parseDay(text: string | undefined): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  return parts && dayOfDate(...(parts as [year: number, month: number, date: number]));
}

/** YYYY-MM-DD of a day counted from 1970-01-01. A time zone's clocks can show the five-digit year 10000. */
export const formatDay = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);

/** The month of a day, both counted from January 1970. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

/** The first day of a month, both counted from January 1970. */
export const firstDayOf = (month: number): number => dayAt(1970, month + 1, 1);

/** A day some days later or earlier, at most the last or the first day of the calendar. */
export function addDays(day: string, days: number): string {
  const number = parseDay(day);
  if (number === undefined) return day;
  return formatDay(Math.min(Math.max(number + days, dayAt(1, 1, 1)), dayAt(9999, 12, 31)));
}

/** Days, both included. */
export interface DayRange {
  from: string;
  to: string;
}

/** The first and the last day of the month of a day, or of one `months` later. */
export function monthAt(day: string, months = 0): DayRange {
  const first = parseDay(`${day.slice(0, 7)}-01`);
  if (first === undefined) return { from: day, to: day };
  const month = monthOf(first) + months;
  return { from: formatDay(firstDayOf(month)), to: formatDay(firstDayOf(month + 1) - 1) };
}
