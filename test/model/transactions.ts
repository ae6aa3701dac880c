import type { ListFilter } from '../../src/ledger/list/list.ts';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { type EqualityFilter, FILTER_CHIPS, FILTERS } from '../../values/interface/filters.ts';
import { dayOf } from './calendar.ts';

export function decimal(hundredths: number | bigint): string {
  const digits = String(hundredths).replace('-', '').padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const EVERYTHING = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, null])) as ListFilter;

const EQUALITIES = Object.keys(FILTER_CHIPS) as EqualityFilter[];

export function matches(filter: ListFilter, row: Transaction): boolean {
  for (const name of EQUALITIES)
    if (filter[name] !== null && filter[name] !== row[FILTERS[name].field]) return false;
  return isInDays(row.createdAtMs, filter);
}

function isInDays(timeMs: number, { from, to, timeZone }: Pick<ListFilter, 'from' | 'to' | 'timeZone'>) {
  if (from === null && to === null) return true;
  const day = dayOf(timeMs, timeZone);
  return (from === null || day >= from) && (to === null || day <= to);
}

type Placed = Pick<Transaction, 'createdAtMs' | 'reference'>;

export function compareInList(one: Placed, other: Placed): number {
  if (one.createdAtMs !== other.createdAtMs) return other.createdAtMs - one.createdAtMs;
  return one.reference === other.reference ? 0 : one.reference > other.reference ? -1 : 1;
}
