import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from './calendar.ts';

/** A transaction as a response has it. */
export interface Shown {
  reference: string;
  merchantReference: string | null;
  status: string;
  amount: string;
  currencyCode: string;
  paidAt: string | null;
  createdAt: string;
}

/** Formats an amount of hundredths. */
export function decimal(hundredths: number | bigint): string {
  const digits = String(hundredths).replace('-', '').padStart(3, '0');
  return `${hundredths < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export const shownOf = (one: Transaction): Shown => ({
  reference: one.reference,
  merchantReference: one.merchantReference,
  status: one.status,
  amount: decimal(one.amountMinor),
  currencyCode: one.currencyCode,
  paidAt: one.paidAtMs === null ? null : new Date(one.paidAtMs).toISOString(),
  createdAt: new Date(one.createdAtMs).toISOString(),
});

/** The body of a recording. */
export function bodyOf(one: Transaction): Omit<Shown, 'reference'> {
  const { reference: _, ...body } = shownOf(one);
  return body;
}

type Matched = Pick<Transaction, 'status' | 'currencyCode' | 'merchantReference' | 'createdAtMs'>;

/** Whether a transaction is in the list of a filter. */
export function matches(filter: ListFilter, row: Matched): boolean {
  if (filter.status !== null && filter.status !== row.status) return false;
  if (filter.currency !== null && filter.currency !== row.currencyCode) return false;
  if (filter.merchantReference !== null && filter.merchantReference !== row.merchantReference) return false;
  return isInDays(row.createdAtMs, filter);
}

/** Whether a moment is within days, both inclusive: their texts have their order. */
export function isInDays(
  timeMs: number,
  { from, to, timeZone }: Pick<ListFilter, 'from' | 'to' | 'timeZone'>,
): boolean {
  if (from === null && to === null) return true;
  const day = dayOf(timeMs, timeZone);
  return (from === null || day >= from) && (to === null || day <= to);
}

type Placed = Pick<Transaction, 'createdAtMs' | 'reference'>;

/** Negative if the first comes before the second in a list. References are ASCII: their order is that of their bytes. */
export function compareInList(one: Placed, other: Placed): number {
  if (one.createdAtMs !== other.createdAtMs) return other.createdAtMs - one.createdAtMs;
  return one.reference === other.reference ? 0 : one.reference > other.reference ? -1 : 1;
}

export interface Difference {
  field: keyof Shown;
  recorded: string | null;
  given: string | null;
}

export type Decision =
  | { outcome: 'recorded' }
  | { outcome: 'changed' }
  | { outcome: 'unchanged' }
  | { outcome: 'conflict'; differences: Difference[] };

/** What recording a transaction does where one is recorded already, or none is. */
export function decide(recorded: Transaction | undefined, given: Transaction): Decision {
  if (recorded === undefined) return { outcome: 'recorded' };
  const differences = differencesOf(recorded, given);
  if (differences.length === 0) return { outcome: 'unchanged' };
  const isFinal = recorded.status !== 'pending' || given.status === 'pending';
  const contradictions = differences.filter(
    ({ field }) => isFinal || (field !== 'status' && field !== 'paidAt'),
  );
  return contradictions.length === 0
    ? { outcome: 'changed' }
    : { outcome: 'conflict', differences: contradictions };
}

export function differencesOf(recorded: Transaction, given: Transaction): Difference[] {
  const [before, after] = [shownOf(recorded), shownOf(given)];
  const fields = (Object.keys(before) as (keyof Shown)[]).filter((field) => field !== 'reference');
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, recorded: before[field], given: after[field] }));
}
