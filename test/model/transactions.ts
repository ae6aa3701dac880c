import type { Transaction as ClientTransaction } from '../../client/src/transaction.ts';
import type { ListFilter } from '../../src/ledger/list/list-filter.ts';
import type { Transaction } from '../../src/ledger/transaction.ts';
import { dayOf } from './calendar.ts';

/** A transaction as a response has it. */
export type Shown = ClientTransaction;

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
  ...(one.relatedTo !== null && { relatedTo: one.relatedTo }),
  ...(one.details !== null && { details: JSON.parse(one.details) }),
  ...(one.detailsRemovedAtMs !== null && {
    detailsRemovedAt: new Date(one.detailsRemovedAtMs).toISOString(),
  }),
});

/** The body of a recording. */
export function bodyOf(one: Transaction): Omit<Shown, 'reference'> {
  const { reference: _, detailsRemovedAt: _removed, ...body } = shownOf(one);
  return body;
}

/** The filter of a list without parameters. */
export const EVERYTHING: ListFilter = {
  status: null,
  currency: null,
  from: null,
  to: null,
  timeZone: null,
  merchantReference: null,
};

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
  field: string;
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
  const isAddition = (one: Difference) => one.field.startsWith('details.') && one.recorded === null;
  const contradictions = differences.filter(
    (one) => isFinal || (one.field !== 'status' && one.field !== 'paidAt' && !isAddition(one)),
  );
  return contradictions.length === 0
    ? { outcome: 'changed' }
    : { outcome: 'conflict', differences: contradictions };
}

export function differencesOf(recorded: Transaction, given: Transaction): Difference[] {
  const [before, after] = [comparedOf(recorded), comparedOf(given)];
  const removed = recorded.detailsRemovedAtMs !== null;
  const fields = [...new Set([...before.keys(), ...after.keys()])].filter(
    (field) => field !== 'reference' && !(removed && field.startsWith('details.')),
  );
  return fields
    .map((field) => ({ field, recorded: before.get(field) ?? null, given: after.get(field) ?? null }))
    .filter((one) => one.recorded !== one.given);
}

/** What is compared, each of the details as a field. */
function comparedOf(one: Transaction): Map<string, string | null> {
  const { details = {}, detailsRemovedAt: _, ...fields } = shownOf(one);
  const ofDetails = Object.entries(details).map(([name, text]): [string, string] => [
    `details.${name}`,
    text,
  ]);
  return new Map([...Object.entries(fields), ...ofDetails]);
}
