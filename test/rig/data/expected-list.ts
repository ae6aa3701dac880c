import type { Position } from '../../../src/ledger/list/list.ts';
import { type ListFilter, NO_FILTER, type TimeRange, timeRange } from '../../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { compareInList, matches } from '../../model/transactions.ts';

export function expectedList(
  rows: readonly AccountTransaction[],
  account: string,
  filter: ListFilter,
  after: Position | null = null,
): AccountTransaction[] {
  return rows
    .filter(
      (row) =>
        row.account === account && matches(filter, row) && (after === null || compareInList(after, row) < 0),
    )
    .sort(compareInList);
}

export function filterSubsets(values: { [Key in keyof ListFilter]?: string }): ListFilter[] {
  const names = Object.keys(values) as (keyof ListFilter)[];
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const filter: ListFilter = { ...NO_FILTER };
    for (const [index, name] of names.entries()) if (bits & (1 << index)) filter[name] = values[name] ?? null;
    return filter;
  });
}

export const sumQuery = (
  account: string,
  filter: ListFilter,
  asOf: number,
  paid: TimeRange | null = null,
) => ({
  account,
  filter,
  range: timeRange(filter),
  paid,
  asOf,
});

export const isPaidIn = ({ paidAtMs }: { paidAtMs: number | null }, paid: TimeRange | null): boolean =>
  paid === null ||
  (paidAtMs !== null && paidAtMs >= (paid.fromMs ?? paidAtMs) && paidAtMs < (paid.beforeMs ?? paidAtMs + 1));
