import { addDays, dayNumber, monthOf } from '../../../values/day-text.ts';

/** The day that some words of a text mean, as YYYY-MM-DD. */
interface ReadDay {
  /** Two, if both the day and the month can be first, as in 05/06/2026: that of the language comes first. */
  days: readonly string[];
  /** The first of several days, of which the last one is in `days`. */
  from?: string;
  /** How many words name it. */
  length: number;
}

const NUMERIC = /^(\d{1,2})\.(\d{1,2})\.(\d{4})?$/;
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
/** A number behind a day and a month that is no year can be an amount. */
const YEAR = /^(19|20|21)\d\d$/;
const DATE = /^(\d{1,2})(?:\.|st|nd|rd|th)?,?$/i;
/** Before or behind the name of a day, in the languages of most merchants. */
const LAST = /^(last|letzte[nr]?|dernier|pasado|scors[oa]|afgelopen)$/i;

const DAY_MS = 86_400_000;
/** A Monday, in days since 1970-01-01. */
const MONDAY = 4;

interface Names {
  /** Today, yesterday and the day before. */
  near: readonly string[];
  /** From Monday. */
  weekdays: readonly string[];
  months: readonly string[];
  /** The present week and month and those before, each with its first day. */
  periods: readonly (readonly [phrase: string, firstDay: (today: string) => string])[];
}

const known = new Map<string | undefined, Names>();

function namesIn(language: string | undefined): Names {
  const names = known.get(language) ?? readNames(language);
  known.set(language, names);
  return names;
}

function readNames(language: string | undefined): Names {
  const name = (options: Intl.DateTimeFormatOptions, timeMs: number) =>
    new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory', timeZone: 'UTC' })
      .format(timeMs)
      .toLowerCase();
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    near: [0, -1, -2].map((days) => near.format(days, 'day').toLowerCase()),
    weekdays: Array.from({ length: 7 }, (_, index) => name({ weekday: 'long' }, (MONDAY + index) * DAY_MS)),
    months: Array.from({ length: 12 }, (_, index) => name({ month: 'long' }, Date.UTC(2026, index))),
    periods: [0, -1].flatMap((count) => [
      [
        near.format(count, 'week').toLowerCase(),
        (today) => addDays(today, -(((dayNumber(today) as number) - MONDAY) % 7) + 7 * count),
      ],
      [near.format(count, 'month').toLowerCase(), (today) => monthOf(today, count).from],
    ]),
  };
}

/**
 * Reads the day at an index of the words of a text: "2026-11-24", "24.11.", "24 Nov 2026", "yesterday", "last Tuesday", "last week", in
 * English and in another language, by default that of the browser. A day without its year, or of the week, is the last one of them up to
 * today. A week or month ends today: who speaks of last week rarely knows the day.
 */
export function readDay(
  words: readonly string[],
  index: number,
  today: string,
  language?: string,
): ReadDay | undefined {
  const [first = '', second = '', third = ''] = words.slice(index, index + 3).map((one) => one.toLowerCase());
  const found = (length: number, ...days: (string | undefined)[]): ReadDay | undefined => {
    const real = [...new Set(days)].filter((day) => day !== undefined);
    return real.length === 0 ? undefined : { days: real, length };
  };
  const languages = ['en', language].map(namesIn);
  const indexIn = (kind: Exclude<keyof Names, 'periods'>, isName: (name: string) => boolean) =>
    Math.max(...languages.map((names) => names[kind].findIndex(isName)));
  const weekday = (isName: (name: string) => boolean, before: string) => {
    const wanted = indexIn('weekdays', isName);
    const last = (dayNumber(before) as number) - MONDAY;
    return wanted < 0 ? undefined : addDays(before, -((((last - wanted) % 7) + 7) % 7));
  };
  const monthDay = (date: string, name: string, year: string, length: number) => {
    const month = indexIn('months', (one) => isShort(name, one));
    const [, number] = DATE.exec(date) ?? [];
    if (month < 0 || number === undefined) return undefined;
    const [whole] = YEAR.exec(year.replace(/,$/, '')) ?? [];
    return found(whole ? length : 2, dayOf(number, month + 1, whole, today));
  };

  const between = (left: string, right: string, year: string) => {
    const days = [dayOf(left, right, year, today), dayOf(right, left, year, today)];
    return isMonthFirst(language) ? days.toReversed() : days;
  };

  for (const [phrase, firstDay] of languages.flatMap(({ periods }) => periods)) {
    const { length } = phrase.split(' ');
    const written = words
      .slice(index, index + length)
      .join(' ')
      .toLowerCase();
    if (written === phrase) return { days: [today], from: firstDay(today), length };
  }

  const plain = first.replace(/,$/, '');
  const [, date = '', month = '', year] = NUMERIC.exec(plain) ?? [];
  const [, left = '', right = '', ofSlashes] = SLASHES.exec(plain) ?? [];
  const near = indexIn('near', (name) => name === plain);
  return (
    (dayNumber(plain) === undefined ? undefined : found(1, plain)) ??
    (date === '' ? undefined : found(1, dayOf(date, month, year, today))) ??
    (ofSlashes === undefined ? undefined : found(1, ...between(left, right, ofSlashes))) ??
    (near < 0 ? undefined : found(1, addDays(today, -near))) ??
    (LAST.test(second)
      ? found(
          2,
          weekday((name) => name === plain, addDays(today, -1)),
        )
      : undefined) ??
    (LAST.test(first)
      ? found(
          2,
          weekday((name) => isShort(second, name), addDays(today, -1)),
        )
      : found(
          1,
          weekday((name) => name === plain, today),
        )) ??
    monthDay(first, second, third, 3) ??
    monthDay(second, first, third, 3)
  );
}

/** Whether a language writes the month before the day, as in the United States. */
function isMonthFirst(language: string | undefined): boolean {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).formatToParts(0);
  const placeOf = (type: string) => parts.findIndex((part) => part.type === type);
  return placeOf('month') < placeOf('day');
}

/** Whether a word is a name, or its first letters, at least three. */
const isShort = (word: string, name: string): boolean =>
  word.length >= 3 && name.startsWith(word.replace(/[.,]$/, ''));

/** The day of a date and a month, or undefined if the calendar has no such day. */
function dayOf(
  date: string,
  month: string | number,
  year: string | undefined,
  today: string,
): string | undefined {
  const thisYear = Number(today.slice(0, 4));
  const years = year === undefined ? [thisYear, thisYear - 1] : [year];
  return years
    .map((one) => `${one}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`)
    .find((day) => dayNumber(day) !== undefined && (year !== undefined || day <= today));
}
