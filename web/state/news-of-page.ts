import { fromMinorUnits, toMinorUnits } from '../../client/src/amount.ts';
import type { Change } from '../../client/src/change.ts';
import type { TotalsRow } from '../../client/src/totals.ts';
import type { Transaction, TransactionPage } from '../../client/src/transaction.ts';
import { FILTERS } from '../../values/interface/filters.ts';
import { dayIn } from '../text/time.ts';
import { EQUALITIES } from './filters.ts';
import { type Filter, isByPayment } from './route.ts';

export interface ShownTotals {
  rows: readonly TotalsRow[];
  asOf: number;
  filter: Filter;
  archivedBefore: string | undefined;
  atMs: number;
}

interface ShownList {
  filter: Filter;
  zone: string;
  isFirstPage: boolean;
  totals: ShownTotals | undefined;
}

type Place = Pick<Transaction, 'createdAt' | 'reference'>;

export const isNewer = (left: Place, right: Place): boolean =>
  left.createdAt > right.createdAt ||
  (left.createdAt === right.createdAt && left.reference > right.reference);

/** Counts the changed transactions that a page's rows or its sums (`totals`) do not show yet. */
export function newsOfPage(
  changes: readonly Change[],
  { data, hasMore }: TransactionPage,
  { filter, zone, isFirstPage, totals }: ShownList,
): { added: number; changed: number } {
  const shown = new Map(data.map((row) => [row.reference, row]));
  const last = hasMore ? data.at(-1) : undefined;
  const added = new Set<string>();
  const changed = new Set<string>();
  for (const { sequence, previousStatus, transaction } of changes) {
    const { reference, status } = transaction;
    const row = shown.get(reference);
    const hasPlace = isFirstPage && !(last && isNewer(last, transaction));
    const isIn = isOf(transaction, filter, zone);
    const wasIn = previousStatus !== null && isOf({ ...transaction, status: previousStatus }, filter, zone);
    // Every status except `pending` is final. So only a row that still shows `pending` can be out of date.
    if (row !== undefined) {
      if (row.status === 'pending' && status !== 'pending') changed.add(reference);
    } else if (!hasPlace && !(totals && sequence > totals.asOf)) continue;
    else if (isIn && !wasIn) added.add(reference);
    else if (wasIn && !added.has(reference)) changed.add(reference);
  }
  return { added: added.size, changed: changed.size };
}

export interface NewSum {
  currencyCode: string;
  status: string;
  before: string;
  now: string;
}

export function newSums(changes: readonly Change[], totals: ShownTotals, zone: string): NewSum[] {
  const { rows, asOf, filter } = totals;
  const keyOf = (one: { currencyCode: string; status: string }) => `${one.currencyCode} ${one.status}`;
  const before = new Map(rows.map((row) => [keyOf(row), toMinorUnits(row.amount)]));
  const now = new Map(before);
  const add = (transaction: Transaction, times: bigint) => {
    if (!isOf(transaction, filter, zone)) return;
    const minor = times * toMinorUnits(transaction.amount);
    now.set(keyOf(transaction), (now.get(keyOf(transaction)) ?? 0n) + minor);
  };
  for (const { sequence, previousStatus, transaction } of changes) {
    if (sequence <= asOf) continue;
    add(transaction, 1n);
    if (previousStatus !== null) add({ ...transaction, status: previousStatus }, -1n);
  }
  return [...now]
    .filter(([key, minor]) => minor !== (before.get(key) ?? 0n))
    .map(([key, minor]) => {
      const [currencyCode = '', status = ''] = key.split(' ');
      return {
        currencyCode,
        status,
        before: fromMinorUnits(before.get(key) ?? 0n),
        now: fromMinorUnits(minor),
      };
    });
}

function isOf(transaction: Transaction, filter: Filter, zone: string): boolean {
  const { from, to } = filter;
  // A paid transaction can be passed with its earlier status `pending`. Then its `paidAt` must not count.
  const paidAt = transaction.status === 'pending' ? null : transaction.paidAt;
  const time = isByPayment(filter) ? paidAt : transaction.createdAt;
  if (time === null) return false;
  const day = from || to ? dayIn(zone, Date.parse(time)) : '';
  return (
    EQUALITIES.every((name) => !filter[name] || filter[name] === transaction[FILTERS[name].field]) &&
    (!from || day >= from) &&
    (!to || day <= to)
  );
}
