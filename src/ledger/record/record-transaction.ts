import { PENDING } from '../../values/status.ts';
import type { Transaction } from '../transaction.ts';
import { FIELD_LIST, formatTransaction, type ShownField } from '../transaction-fields.ts';

/** Account and reference are left out: a recorded transaction is found by them. */
const CONTENT = FIELD_LIST.filter(({ name }) => name !== 'account' && name !== 'reference');
/** Fields that never change. */
const FINAL_FIELDS = CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange !== true);
const COMPARED_FIELDS = [...FINAL_FIELDS, ...CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange)];

/** A field in which a transaction contradicts the recorded one, both values in their written form. */
export interface Difference {
  field: ShownField;
  recorded: string | null;
  given: string | null;
}

export type Comparison =
  | { outcome: 'unchanged' }
  | { outcome: 'changed' }
  | { outcome: 'conflict'; differences: Difference[] };

/**
 * Compares a transaction with the one recorded under its account and reference.
 *
 * An equal transaction changes nothing. A pending transaction can get another status and its time of payment.
 * Any other difference is a conflict.
 */
export function compareWithRecorded(recorded: Transaction, given: Transaction): Comparison {
  if (isEqual(recorded, given)) return { outcome: 'unchanged' };
  const isAdvance = recorded.status === PENDING && given.status !== PENDING;
  const differences = differencesBetween(recorded, given, isAdvance ? FINAL_FIELDS : COMPARED_FIELDS);
  if (differences.length > 0) return { outcome: 'conflict', differences };
  return { outcome: isAdvance ? 'changed' : 'unchanged' };
}

export function differencesBetween(
  recorded: Transaction,
  given: Transaction,
  fields: typeof COMPARED_FIELDS = COMPARED_FIELDS,
): Difference[] {
  const before = formatTransaction(recorded);
  const after = formatTransaction(given);
  return fields
    .map(({ name }) => name as ShownField)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ field, recorded: before[field], given: after[field] }));
}

/** Repeated transactions are mostly equal, and comparing their values is cheaper than formatting them. */
function isEqual(recorded: Transaction, given: Transaction): boolean {
  for (const name in recorded)
    if (recorded[name as keyof Transaction] !== given[name as keyof Transaction]) return false;
  return true;
}
