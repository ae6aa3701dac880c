import { type DayRange, monthAt, parseDay } from '../../values/calendar.ts';
import { language, texts, wordLocale } from './language.ts';

// For English without a country, dates are British: the day comes first.
const LOCALE = wordLocale === 'en' ? 'en-GB' : wordLocale;

export const daysWith = (parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(LOCALE, {
    ...parts,
    calendar: 'gregory',
    numberingSystem: 'latn',
    timeZone: 'UTC',
  });

const IN_WORDS = { day: 'numeric', month: 'short' } as const;
const IN_NUMBERS = { day: '2-digit', month: '2-digit' } as const;
const DAY_FORMAT = daysWith({ ...(language === 'en' ? IN_WORDS : IN_NUMBERS), year: 'numeric' });
const SHORT_FORMAT = daysWith(language === 'de' ? IN_NUMBERS : IN_WORDS);
const MONTH_FORMAT = daysWith({ month: 'long', year: 'numeric' });

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);
const isDay = (day: string) => parseDay(day) !== undefined;

/** A text that is no day, for example one from an address, is returned unchanged. */
export const dayText = (day: string): string => (isDay(day) ? DAY_FORMAT.format(dateOf(day)) : day);

export const shortDay = (day: string, today: string): string =>
  day.slice(0, 4) === today.slice(0, 4) ? SHORT_FORMAT.format(dateOf(day)) : dayText(day);

export function rangeText({ from, to }: DayRange): string {
  if (from === to) return dayText(from);
  return isDay(from) && isDay(to)
    ? DAY_FORMAT.formatRange(dateOf(from), dateOf(to))
    : `${dayText(from)} \u2013 ${dayText(to)}`;
}

/** Returns days for use inside a sentence: "on 1 Oct 2026", "1 Oct 2026 to 7 Oct 2026". */
export const daysWithin = ({ from, to }: DayRange): string =>
  from === to ? texts.$onDay(dayText(from)) : texts.$daysTo(dayText(from), dayText(to));

export const daysInCurrency = (days: string, currency: string | undefined): string =>
  currency === undefined ? days : `${days} (${currency})`;

export function nameOfDays(from: string | undefined, to: string | undefined): string | undefined {
  if (!from || !to || !isDay(from) || monthAt(from).from !== from || monthAt(from).to !== to)
    return undefined;
  return MONTH_FORMAT.format(dateOf(from));
}
