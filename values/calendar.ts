import { quote } from './quote.ts';

export const DAY_MS = 86_400_000;

/** Adds 400 years and subtracts their 146,097 days, because Date.UTC takes years 0 to 99 as 1900 to 1999. */
const dayAt = (year: number, month: number, date: number): number =>
  Date.UTC(year + 400, month - 1, date) / DAY_MS - 146_097;

/** Returns days since 1970-01-01, or undefined if the calendar has no such date. */
function dayOfDate(year: number, month: number, date: number): number | undefined {
  const day = dayAt(year, month, date);
  const isDay =
    year >= 1 && month >= 1 && month <= 12 && date >= 1 && (date < 29 || day <= dayAt(year, month + 1, 0));
  return isDay ? day : undefined;
}

/** Returns days since 1970-01-01, or undefined if the text is not a valid day in the form YYYY-MM-DD. */
export function parseDay(text: string | undefined): number | undefined {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/
    .exec(text ?? '')
    ?.slice(1)
    .map(Number);
  return parts && dayOfDate(...(parts as [year: number, month: number, date: number]));
}

/** `day` is counted from 1970-01-01. Clocks ahead of UTC can show the year 10000, written +010000. */
export const formatDay = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);

/** Months are counted from January 1970, and days from 1970-01-01. */
export function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
}

export const firstDayOf = (month: number): number => dayAt(1970, month + 1, 1);

export function addDays(day: string, days: number): string {
  const number = parseDay(day);
  if (number === undefined) return day;
  return formatDay(Math.min(Math.max(number + days, dayAt(1, 1, 1)), dayAt(9999, 12, 31)));
}

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

const ZERO = 48;

function digitsAt(text: string, start: number, length: number): number {
  let value = 0;
  for (let index = start; index < start + length; index++) {
    const digit = text.charCodeAt(index) - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

const leadingDay = (text: string): number | undefined =>
  text[4] === '-' && text[7] === '-'
    ? dayOfDate(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2))
    : undefined;

/** Days are counted from 1970-01-01. */
export const FIRST_DAY = parseDay('0001-01-01') as number;
export const LAST_DAY = parseDay('9999-12-31') as number;
export const FIRST_TIMESTAMP_MS = FIRST_DAY * DAY_MS;
export const LAST_TIMESTAMP_MS = (LAST_DAY + 1) * DAY_MS - 1;

// Each array is made once, so that formatting only joins strings. PURE lets the client's build leave out the
// arrays.
const twoDigits = (value: number) => String(value).padStart(2, '0');
const MINUTES_OF_DAY = /* @__PURE__ */ Array.from(
  { length: 1440 },
  (_, minute) => `T${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`,
);
const SECONDS = /* @__PURE__ */ Array.from({ length: 60 }, (_, second) => `:${twoDigits(second)}`);
const MILLISECONDS = /* @__PURE__ */ Array.from(
  { length: 1000 },
  (_, value) => `.${String(value).padStart(3, '0')}Z`,
);

/** The cache can hold the days of eleven years. Most listed transactions are not older. */
const MAX_FORMATTED_DAYS = 4096;
const formattedDays = new Map<number, string>();

function formattedDay(day: number): string {
  let text = formattedDays.get(day);
  if (text === undefined) {
    text = formatDay(day);
    if (formattedDays.size >= MAX_FORMATTED_DAYS) formattedDays.clear();
    formattedDays.set(day, text);
  }
  return text;
}

/** YYYY-MM. Months are counted from January 1970. */
export const formatMonth = (month: number) => formatDay(firstDayOf(month)).slice(0, 7);

/** Returns days since 1970-01-01, in UTC. */
export function dayOf(timestampMs: number): number {
  return Math.floor(timestampMs / DAY_MS);
}

/** Accepts only the form `YYYY-MM-DDTHH:MM:SS[.f[f[f]]]Z`, so that nothing is rounded or converted. */
export function parseTimestamp(text: string): number | undefined {
  const day = leadingDay(text);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const end = text.length - 1;
  if (day === undefined || text[10] !== 'T' || text[13] !== ':' || text[16] !== ':' || text[end] !== 'Z')
    return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const wholeMs = day * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1000;
  if (end === 19) return wholeMs;
  const fractionDigits = end - 20;
  const fraction = digitsAt(text, 20, fractionDigits);
  if (text[19] !== '.' || !(fractionDigits >= 1 && fractionDigits <= 3) || Number.isNaN(fraction))
    return undefined;
  return wholeMs + fraction * 10 ** (3 - fractionDigits);
}

export const TIMESTAMP_FORM = '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$';

/** `YYYY-MM-DDTHH:MM:SS.mmmZ`. `timestampMs` is milliseconds since 1970-01-01T00:00:00Z. */
export function formatTimestamp(timestampMs: number): string {
  const day = dayOf(timestampMs);
  const timeMs = timestampMs - day * DAY_MS;
  const minute = MINUTES_OF_DAY[Math.floor(timeMs / 60_000)] as string;
  const second = SECONDS[Math.floor(timeMs / 1000) % 60] as string;
  return formattedDay(day) + minute + (second + MILLISECONDS[timeMs % 1000]);
}

export function explainDay(text: string): string {
  const form = 'Write a date as YYYY-MM-DD, for example 2026-03-31.';
  if (text === '') return `The value is empty. ${form}`;
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `${text} does not exist in the calendar. ${form}`;
  const meant = meantDay(text);
  if (meant === undefined) return `${quote(text)} is not a date. ${form}`;
  const isTime = /\d[T ]\d/.test(text);
  return isTime
    ? `${quote(text)} is a time: a day is sent alone, such as ${meant}. With timeZone it is the day of that time zone.`
    : `${quote(text)} is not a date: did you mean ${meant}? ${form}`;
}

function meantDay(text: string): string | undefined {
  const [, seconds] = /^(1\d{9})(?:\d{3})?$/.exec(text) ?? [];
  if (seconds !== undefined) return formatDay(dayOf(Number(seconds) * 1000));
  const [, year, month, day] =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d.*)?$/.exec(text) ??
    /^(\d{4})(\d{2})(\d{2})$/.exec(text) ??
    [];
  const [, dayFirst, monthNext, yearLast] = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text) ?? [];
  const parts = [year ?? yearLast, month ?? monthNext, day ?? dayFirst];
  if (parts.includes(undefined)) return undefined;
  const meant = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return parseDay(meant) === undefined ? undefined : meant;
}

export function explainTimestamp(text: string): string {
  const form = 'write UTC with milliseconds, for example 2026-03-31T09:30:00.000Z';
  if (text === '') return `is empty; ${form}`;
  if (/\.\d{4,}Z$/.test(text)) return `${quote(text)} is more precise than milliseconds; ${form}`;
  if (/[+-]\d{2}:?\d{2}$/.test(text)) return `${quote(text)} has a time zone offset; ${form}`;
  return `${quote(text)} is not a UTC timestamp; ${form}`;
}

export const timeOrNull = (timestampMs: number | null) =>
  timestampMs === null ? null : formatTimestamp(timestampMs);

export const dayOrNull = (day: string | null) => (day === null ? null : (parseDay(day) as number));
