import { toMinorUnits } from '../../client/src/amount.ts';
import type { TotalsRow } from '../../client/src/totals.ts';
import { locale } from './language.ts';

export interface CurrencyTotals {
  currency: string;
  count: number;
  cells: ReadonlyMap<string, TotalsRow>;
  sumMinor: bigint;
  beforeMinor: bigint | undefined;
}

/** Includes currencies that only `before` has. */
export function overviewOf(
  rows: readonly TotalsRow[],
  before: readonly TotalsRow[],
  doesCount: (status: string) => boolean,
): CurrencyTotals[] {
  const currencies = [...new Set([...rows, ...before].map(({ currencyCode }) => currencyCode))];
  const sumOf = (of: readonly TotalsRow[]) =>
    of.reduce((sum, { status, amount }) => sum + (doesCount(status) ? toMinorUnits(amount) : 0n), 0n);
  return currencies
    .map((currency) => {
      const isOf = ({ currencyCode }: TotalsRow) => currencyCode === currency;
      const own = rows.filter(isOf);
      const earlier = before.filter(isOf);
      return {
        currency,
        count: own.reduce((sum, { count }) => sum + count, 0),
        cells: new Map(own.map((row) => [row.status, row])),
        sumMinor: sumOf(own),
        beforeMinor: earlier.length > 0 ? sumOf(earlier) : undefined,
      };
    })
    .sort((left, right) => right.count - left.count || (left.currency < right.currency ? -1 : 1));
}

/** Returns the change as a text such as "+12%", or '' if a percentage would mean nothing. */
export function changeText(minor: bigint, beforeMinor: bigint): string {
  if (beforeMinor <= 0n || minor < 0n) return '';
  const percent = (Number(minor - beforeMinor) / Number(beforeMinor)) * 100;
  const tenths = Math.round(percent * 10) / 10;
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: Math.abs(tenths) < 10 ? 1 : 0,
    numberingSystem: 'latn',
  });
  return format.format(percent / 100).replace('-', '\u2212');
}
