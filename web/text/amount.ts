import { locale as ofPage } from './language.ts';

const decimals = new Map<string, number>();

/** People write no decimals in JPY, for example. */
function decimalsOf(currency: string): number {
  const known =
    decimals.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2;
  decimals.set(currency, known);
  return known;
}

/**
 * Writes an amount as the user's language or `locale` does. The amount never becomes a number, so no digit is
 * lost. A negative amount gets U+2212, the minus sign that screen readers speak. The service writes two
 * decimals in every currency; in currencies that people write without decimals, zeros are left out.
 */
export function groupedAmount(amount: string, currency?: string, locale = ofPage): string {
  const isWhole = /\.00$/.test(amount) && currency !== undefined && decimalsOf(currency) === 0;
  const digits = isWhole ? 0 : (amount.split('.')[1]?.length ?? 0);
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    numberingSystem: 'latn',
  });
  return format.format(amount as `${number}`).replace('-', '\u2212');
}
