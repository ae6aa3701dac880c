import { formatDay } from './times.ts';
import { formatAmount, type Transaction } from './transaction.ts';

export type Total = {
  day?: string;
  month?: string;
  currencyCode: string;
  status: string;
  count: number;
  amount: string;
};

/** What a row is of: the whole range if it is undefined. */
export type Period = 'day' | 'month' | undefined;

const periodOf = (by: Period, day: string) =>
  by === undefined ? '' : by === 'day' ? day : day.slice(0, 'YYYY-MM'.length);

/** One row for each currency and status, and for each period `by`, in the order of period, currency and status. */
export function addUp(transactions: Iterable<Transaction>, by: Period): Total[] {
  const sums = new Map<string, { count: number; minor: bigint }>();
  for (const { createdAtMs, currencyCode, status, amountMinor } of transactions) {
    const row = [periodOf(by, formatDay(createdAtMs)), currencyCode, status].join(' ');
    const { count, minor } = sums.get(row) ?? { count: 0, minor: 0n };
    sums.set(row, { count: count + 1, minor: minor + amountMinor });
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([row, { count, minor }]) => {
    const [period = '', currencyCode = '', status = ''] = row.split(' ');
    return { ...(by && { [by]: period }), currencyCode, status, count, amount: formatAmount(minor) };
  });
}
