import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from './calendar.ts';
import { decimal, matches } from './transactions.ts';

/** A row of the response to a request for totals. */
export interface TotalRow {
  day?: string;
  month?: string;
  currencyCode: string;
  status: string;
  count: number;
  amount: string;
}

/** What the transactions that a filter matches add up to, one by one. */
export function totalsOf(
  rows: Iterable<Transaction>,
  filter: ListFilter,
  by: 'day' | 'month' | null = null,
): TotalRow[] {
  const sums = new Map<string, { first: Transaction; period: string; count: number; hundredths: bigint }>();
  for (const row of rows) {
    if (!matches(filter, row)) continue;
    const period = by === null ? '' : dayOf(row.createdAtMs, filter.timeZone).slice(0, by === 'day' ? 10 : 7);
    const name = `${period} ${row.currencyCode} ${row.status}`;
    const sum = sums.get(name) ?? { first: row, period, count: 0, hundredths: 0n };
    sum.count++;
    sum.hundredths += BigInt(row.amountMinor);
    sums.set(name, sum);
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { first, period, count, hundredths }]) => ({
      ...(by !== null && { [by]: period }),
      currencyCode: first.currencyCode,
      status: first.status,
      count,
      amount: decimal(hundredths),
    }));
}
