import { addDays, DAY_MS, type DayRange, isMonthFirst, monthAt, parseDay } from '../../values/calendar.ts';
import { searchPattern } from '../../values/search-pattern.ts';

interface ReadDay {
  /** Two days if the text can mean both, as 05/06/2026 can. The language decides which day comes first. */
  days: readonly string[];
  /** The first day, if the text means a period such as a week. `days` then contains only the last day. */
  from?: string;
  length: number;
  /** True if the words can also be a name or a number: Petra Sonntag, 12 March Street, 12.11.26. */
  canBeWords?: true;
}

const NUMERIC = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})?$/;
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/;
/** After a day and a month, a number from 1900 to 2199 is a year. Any other number may be an amount. */
const YEAR = /^(19|20|21)\d\d$/;
const DATE = /^(\d{1,2})(?:\.|st|nd|rd|th|er|e|º|ª|°)?,?$/i;
const OF = /^(of|de)$/i;
const LAST = /^(last|letzte[nr]?|dernier|pasado|scors[oa]|afgelopen)$/i;

/** Day 4 after 1970-01-01 was a Monday. */
const MONDAY = 4;

interface Name {
  text: string;
  spellings: RegExp;
}

interface Names {
  near: readonly Name[];
  weekdays: readonly Name[];
  months: readonly Name[];
  periods: readonly (readonly [phrase: Name, days: (today: string) => DayRange])[];
}

const PERIODS = ['week', 'month', 'quarter', 'year'] as const;
const MONTHS = { month: 1, quarter: 3, year: 12 };

function daysOf(period: (typeof PERIODS)[number], isBefore: boolean, today: string): DayRange {
  let days: DayRange;
  if (period === 'week') {
    const monday = addDays(today, -(((parseDay(today) as number) - MONDAY) % 7) - (isBefore ? 7 : 0));
    days = { from: monday, to: addDays(monday, 6) };
  } else {
    const count = MONTHS[period];
    const first = -((Number(today.slice(5, 7)) - 1) % count) - (isBefore ? count : 0);
    days = { from: monthAt(today, first).from, to: monthAt(today, first + count - 1).to };
  }
  return isBefore ? days : { ...days, to: today };
}

/** Drops articles and endings, so that "letzter Monat" also matches "letzten Monat". */
const stemOf = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replace(/^(?:(?:le|la|el|il|der|die|den|das)\s|l['\u2019])/, '')
    .replaceAll(/\b(letzt|dies|vergangen)e[nrms]?\b/g, '$1');

const isName =
  (word: string) =>
  ({ spellings }: Name): boolean =>
    spellings.test(word.normalize('NFC'));

const known = new Map<string | undefined, Names>();

function namesIn(language: string | undefined): Names {
  const names = known.get(language) ?? readNames(language);
  known.set(language, names);
  return names;
}

function readNames(language: string | undefined): Names {
  const named = (text: string): Name => ({
    text: text.toLowerCase(),
    spellings: new RegExp(`^${searchPattern(text)}$`, 'u'),
  });
  const name = (options: Intl.DateTimeFormatOptions, timeMs: number) =>
    named(
      new Intl.DateTimeFormat(language, { ...options, calendar: 'gregory', timeZone: 'UTC' }).format(timeMs),
    );
  const near = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  return {
    near: [0, -1, -2].map((days) => named(near.format(days, 'day'))),
    weekdays: Array.from({ length: 7 }, (_, index) => name({ weekday: 'long' }, (MONDAY + index) * DAY_MS)),
    months: Array.from({ length: 12 }, (_, index) => name({ month: 'long' }, Date.UTC(2026, index))),
    periods: [0, -1].flatMap((count) =>
      PERIODS.map(
        (period) =>
          [
            named(stemOf(near.format(count, period))),
            (today: string) => daysOf(period, count < 0, today),
          ] as const,
      ),
    ),
  };
}

/** Reads English and one more language. "Tuesday" and "1 Oct" mean the latest such day up to today. */
export function readDay(
  words: readonly string[],
  index: number,
  today: string,
  language?: string,
): ReadDay | undefined {
  const places = [...words.keys()].filter(
    (at) => at === index || (at > index && !OF.test(words[at] as string)),
  );
  const [first = '', second = '', third = ''] = places.slice(0, 3).map((at) => words[at] as string);
  const found = (length: number, ...days: (string | undefined)[]): ReadDay | undefined => {
    const real = [...new Set(days)].filter((day) => day !== undefined);
    return real.length === 0 ? undefined : { days: real, length };
  };
  const languages = ['en', language].map(namesIn);
  const indexIn = (kind: Exclude<keyof Names, 'periods'>, isMeant: (name: Name) => boolean) =>
    Math.max(...languages.map((names) => names[kind].findIndex(isMeant)));
  const weekday = (isMeant: (name: Name) => boolean, before: string) => {
    const wanted = indexIn('weekdays', isMeant);
    const last = (parseDay(before) as number) - MONDAY;
    return wanted < 0 ? undefined : addDays(before, -((((last - wanted) % 7) + 7) % 7));
  };
  const monthDay = (date: string, name: string, year: string) => {
    const [, number] = DATE.exec(date) ?? [];
    if (number === undefined) return undefined;
    const month = indexIn('months', isShort(name));
    if (month < 0) return undefined;
    const [whole] = YEAR.exec(year.replace(/,$/, '')) ?? [];
    const read = found(
      (places[(whole ? 3 : 2) - 1] as number) + 1 - index,
      dayOf(number, month + 1, whole, today),
    );
    return read && !whole ? { ...read, canBeWords: true as const } : read;
  };

  const between = (left: string, right: string, year: string) => {
    const days = [dayOf(left, right, year, today), dayOf(right, left, year, today)];
    return isMonthFirst(language) ? days.toReversed() : days;
  };

  for (const length of [3, 2]) {
    const isPhrase = isName(stemOf(words.slice(index, index + length).join(' ')));
    const [, daysAt] = languages.flatMap(({ periods }) => periods).find(([one]) => isPhrase(one)) ?? [];
    if (daysAt === undefined || index + length > words.length) continue;
    const { from, to } = daysAt(today);
    return { days: [to], from, length };
  }

  const plain = first.replace(/,$/, '');
  const [, date = '', month = '', year] = NUMERIC.exec(plain) ?? [];
  const [, left = '', right = '', ofSlashes] = SLASHES.exec(plain) ?? [];
  const near = indexIn('near', isName(plain));
  const numeric =
    date !== ''
      ? found(1, dayOf(date, month, year, today))
      : ofSlashes === undefined
        ? undefined
        : found(1, ...between(left, right, ofSlashes));
  if (numeric !== undefined)
    return (year ?? ofSlashes)?.length === 2 ? { ...numeric, canBeWords: true } : numeric;
  if (parseDay(plain) !== undefined) return found(1, plain);
  if (near >= 0) return found(1, addDays(today, -near));
  const yesterday = addDays(today, -1);
  if (LAST.test(second)) {
    const day = weekday(isName(plain), yesterday);
    if (day !== undefined) return found(2, day);
  }
  const day = LAST.test(first) ? weekday(isShort(second), yesterday) : weekday(isName(plain), today);
  if (day !== undefined)
    return LAST.test(first) ? found(2, day) : { days: [day], length: 1, canBeWords: true };
  return monthDay(first, second, third) ?? monthDay(second, first, third);
}

const MAX_NAME = 40;

function isShort(word: string): (name: Name) => boolean {
  if (word.length < 3 || word.length > MAX_NAME) return () => false;
  const beginning = new RegExp(`^${searchPattern(word.replace(/[.,]$/, ''))}`, 'u');
  return ({ text }) => beginning.test(text);
}

function dayOf(
  date: string,
  month: string | number,
  year: string | undefined,
  today: string,
): string | undefined {
  const thisYear = Number(today.slice(0, 4));
  const century = Number(today.slice(0, 2));
  const years =
    year === undefined
      ? [thisYear, thisYear - 1]
      : year.length === 2
        ? [`${century}${year}`, `${century - 1}${year}`]
        : [year];
  return years
    .map((one) => `${one}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`)
    .find((day) => parseDay(day) !== undefined && (year?.length === 4 || day <= today));
}
