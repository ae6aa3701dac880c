export const DAY_MS = 86_400_000;

/** The calendar repeats after 400 years, and Date.UTC maps the years 0 to 99 to 1900 to 1999. */
const dayAt = (year: number, month: number, date: number): number =>
  Date.UTC(year + 400, month - 1, date) / DAY_MS - 146_097;

/** In days since 1970-01-01. Undefined if the calendar has no such date. */
export function dayOfDate(year: number, month: number, date: number): number | undefined {
  const day = dayAt(year, month, date);
  const isDay =
    year >= 1 && month >= 1 && month <= 12 && date >= 1 && (date < 29 || day <= dayAt(year, month + 1, 0));
  return isDay ? day : undefined;
}

/** In days since 1970-01-01. Undefined if the text is not a valid day in the form YYYY-MM-DD. */
export function parseDay(text: string | undefined): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  return parts && dayOfDate(...(parts as [year: number, month: number, date: number]));
}

/** `day` is in days since 1970-01-01. Clocks ahead of UTC can show the year 10000. */
export const formatDay = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);

/** Months are counted from January 1970, and days from 1970-01-01. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export const firstDayOf = (month: number): number => dayAt(1970, month + 1, 1);

/** The result is never outside the calendar. */
export function addDays(day: string, days: number): string {
  const number = parseDay(day);
  if (number === undefined) return day;
  return formatDay(Math.min(Math.max(number + days, dayAt(1, 1, 1)), dayAt(9999, 12, 31)));
}

/** Both inclusive. */
export interface DayRange {
  from: string;
  to: string;
}

export function monthAt(day: string, months = 0): DayRange {
  const first = parseDay(`${day.slice(0, 7)}-01`);
  if (first === undefined) return { from: day, to: day };
  const month = monthOf(first) + months;
  return { from: formatDay(firstDayOf(month)), to: formatDay(firstDayOf(month + 1) - 1) };
}

/** True if a language writes 5 June as 6/5. Default: the runtime's language. */
export const isMonthFirst = (language?: string): boolean =>
  new Intl.DateTimeFormat(language, { month: 'numeric', day: 'numeric' })
    .formatToParts(0)
    .find(({ type }) => type !== 'literal')?.type === 'month';
