import type { Position } from '../../../src/ledger/list/list.ts';
import { type ListFilter, NO_FILTER, type TimeRange, timeRange } from '../../../src/ledger/list/list.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { compareInList, matches } from '../../model/transactions.ts';

/** The rows of a list by a scan of all rows: slow, and obviously correct. */
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

/** Every subset of the given filters, with the given values. */
export function filterSubsets(values: { [Key in keyof ListFilter]?: string }): ListFilter[] {
  const names = Object.keys(values) as (keyof ListFilter)[];
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const filter: ListFilter = { ...NO_FILTER };
    for (const [index, name] of names.entries()) if (bits & (1 << index)) filter[name] = values[name] ?? null;
    return filter;
  });
}

/** A query for `sumAllListed`: the sums of a list up to a change's number. */
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

/** True if a row was paid in the range, or if there is no range. */
export const isPaidIn = ({ paidAtMs }: AccountTransaction, paid: TimeRange | null): boolean =>
  paid === null ||
  (paidAtMs !== null && paidAtMs >= (paid.fromMs ?? paidAtMs) && paidAtMs < (paid.beforeMs ?? paidAtMs + 1));
