import { locale as ofPage } from './language.ts';

const decimals = new Map<string, number>();

function decimalsOf(currency: string): number {
  const known =
    decimals.get(currency) ??
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ??
    2;
  decimals.set(currency, known);
  return known;
}

/** The amount never becomes a number, so no digit is lost. Screen readers speak U+2212 as "minus". */
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
