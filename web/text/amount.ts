import { LANGUAGE } from './count.ts';

/**
 * An amount as the reader's language writes it, or as `locale` does. It never becomes a number, so no digit is lost. A negative amount gets
 * U+2212, the minus sign that screen readers speak.
 */
export function groupedAmount(amount: string, locale = LANGUAGE): string {
  const decimals = amount.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
    numberingSystem: 'latn',
  });
  return format.format(amount as `${number}`).replace('-', '\u2212');
}
