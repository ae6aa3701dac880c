import type { ListFilter } from '../../src/ledger/list/list.ts';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from './calendar.ts';
import { decimal, matches } from './transactions.ts';

export interface TotalRow {
  day?: string;
  month?: string;
  currencyCode: string;
  status: string;
  count: number;
  amount: string;
}

interface Sum {
  period: string;
  currencyCode: string;
  status: string;
  count: number;
  hundredths: bigint;
}

interface Added extends Pick<Transaction, 'currencyCode' | 'status'> {
  amountMinor: number | bigint;
}

export function addUp<Row extends Added>(rows: Iterable<Row>, periodOf: (row: Row) => string): Sum[] {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const { currencyCode, status } = row;
    const period = periodOf(row);
    const name = `${period} ${currencyCode} ${status}`;
    const sum = sums.get(name) ?? { period, currencyCode, status, count: 0, hundredths: 0n };
    sum.count++;
    sum.hundredths += BigInt(row.amountMinor);
    sums.set(name, sum);
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum);
}

export function totalsOf(
  rows: readonly Transaction[],
  filter: ListFilter,
  by: 'day' | 'month' | null = null,
): TotalRow[] {
  const periodOf = ({ createdAtMs }: Transaction) =>
    by === null ? '' : dayOf(createdAtMs, filter.timeZone).slice(0, by === 'day' ? 10 : 7);
  const matching = rows.filter((row) => matches(filter, row));
  return addUp(matching, periodOf).map(({ period, hundredths, ...sum }) => ({
    ...(by !== null && { [by]: period }),
    ...sum,
    amount: decimal(hundredths),
  }));
}
