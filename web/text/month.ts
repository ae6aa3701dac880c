import { monthOf } from '../../src/values/day-text.ts';
import { locale } from './language.ts';

/** The name of a whole month, such as October 2026, or undefined for other days. */
export function nameOfDays(from: string | undefined, to: string | undefined): string | undefined {
  if (!from || !to || monthOf(from).from !== from || monthOf(from).to !== to) return undefined;
  return new Date(`${from}T00:00:00Z`).toLocaleDateString(locale, {
    calendar: 'gregory',
    numberingSystem: 'latn',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
