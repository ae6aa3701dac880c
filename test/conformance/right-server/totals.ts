import { formatDay } from './times.ts';
import { formatAmount, type Transaction } from './transaction.ts';

export type Total = { day?: string; currencyCode: string; status: string; count: number; amount: string };

/** One row for each currency and status, and for each day if `byDay`, in the order of day, currency and status. */
export function addUp(transactions: Iterable<Transaction>, byDay: boolean): Total[] {
  const sums = new Map<string, { count: number; minor: bigint }>();
  for (const { createdAtMs, currencyCode, status, amountMinor } of transactions) {
    const row = [byDay ? formatDay(createdAtMs) : '', currencyCode, status].join(' ');
    const { count, minor } = sums.get(row) ?? { count: 0, minor: 0n };
    sums.set(row, { count: count + 1, minor: minor + amountMinor });
  }
  const rows = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return rows.map(([row, { count, minor }]) => {
    const [day = '', currencyCode = '', status = ''] = row.split(' ');
    return { ...(byDay ? { day } : {}), currencyCode, status, count, amount: formatAmount(minor) };
  });
}
