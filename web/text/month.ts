import { type DayRange, monthAt, parseDay } from '../../values/days.ts';
import { language, texts, wordLocale } from './language.ts';

const UTC_DAYS = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC', year: 'numeric' } as const;
const DAY_FORMAT = new Intl.DateTimeFormat(
  // English without a country is British, which writes the day first.
  wordLocale === 'en' ? 'en-GB' : wordLocale,
  language === 'en'
    ? { ...UTC_DAYS, day: 'numeric', month: 'short' }
    : { ...UTC_DAYS, day: '2-digit', month: '2-digit' },
);

const { year: _, ...SHORT_DAYS } = { ...UTC_DAYS, day: 'numeric', month: 'short' } as const;
const SHORT_FORMAT = new Intl.DateTimeFormat(
  wordLocale === 'en' ? 'en-GB' : wordLocale,
  language === 'de' ? { ...SHORT_DAYS, day: '2-digit', month: '2-digit' } : SHORT_DAYS,
);

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const isDay = (day: string) => parseDay(day) !== undefined;

/**
 * A day as people write it: "1 Oct 2026", "01.10.2026". A text that is no day, for example from an address,
 * stays unchanged.
 */
export const dayText = (day: string): string => (isDay(day) ? DAY_FORMAT.format(dateOf(day)) : day);

/** The shortest form of a day: "31 Oct", "31.10.". The year is added if it is not the current year. */
export const shortDay = (day: string, today: string): string =>
  day.slice(0, 4) === today.slice(0, 4) ? SHORT_FORMAT.format(dateOf(day)) : dayText(day);

/** Some days as a name: "1 Oct 2026", "1\u20137 Oct 2026". */
export function rangeText({ from, to }: DayRange): string {
  if (from === to) return dayText(from);
  return isDay(from) && isDay(to)
    ? DAY_FORMAT.formatRange(dateOf(from), dateOf(to))
    : `${dayText(from)} \u2013 ${dayText(to)}`;
}

/** Some days inside a sentence: "on 1 Oct 2026", "1 Oct 2026 to 7 Oct 2026". */
export const daysWithin = ({ from, to }: DayRange): string =>
  from === to ? texts.$onDay(dayText(from)) : texts.$daysTo(dayText(from), dayText(to));

/** Some days of one currency, such as October 2026 (EUR), for a text that holds only for this currency. */
export const daysInCurrency = (days: string, currency: string | undefined): string =>
  currency === undefined ? days : `${days} (${currency})`;

/** The name of a whole month, such as October 2026, or undefined for other days. */
export function nameOfDays(from: string | undefined, to: string | undefined): string | undefined {
  if (!from || !to || !isDay(from) || monthAt(from).from !== from || monthAt(from).to !== to)
    return undefined;
  return dateOf(from).toLocaleDateString(wordLocale, { ...UTC_DAYS, month: 'long' });
}
