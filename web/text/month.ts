import { type DayRange, monthAt } from '../../values/days.ts';
import { texts, wordLocale } from './language.ts';

/** Some days: "2026-06-15", or "2026-06-15 to 2026-06-21". */
export const rangeText = ({ from, to }: DayRange): string => (from === to ? from : texts.$daysTo(from, to));

/** Some days of one currency, such as October 2026 (EUR): what is said of them is not said of the others. */
export const daysInCurrency = (days: string, currency: string | undefined): string =>
  currency === undefined ? days : `${days} (${currency})`;

/** The name of a whole month, such as October 2026, or undefined for other days. */
export function nameOfDays(from: string | undefined, to: string | undefined): string | undefined {
  if (!from || !to || monthAt(from).from !== from || monthAt(from).to !== to) return undefined;
  return new Date(`${from}T00:00:00Z`).toLocaleDateString(wordLocale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
