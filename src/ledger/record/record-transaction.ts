import type { WrittenFields } from '../../../values/fault-list.ts';
import { PENDING } from '../../../values/status.ts';
import { addedDetails, detailDifferences } from '../details.ts';
import type { Transaction } from '../transaction.ts';
import { FIELD_LIST, formatTransaction } from '../transaction-fields.ts';

/** Account and reference are left out: a recorded transaction is found by them. Details have a rule of their own. */
const CONTENT = FIELD_LIST.filter(
  ({ name, hasOwnRule }) => name !== 'account' && name !== 'reference' && hasOwnRule !== true,
);
/** Fields that never change. */
const FINAL_FIELDS = CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange !== true);
const COMPARED_FIELDS = [...FINAL_FIELDS, ...CONTENT.filter(({ isSetByFinalChange }) => isSetByFinalChange)];

/** A field in which a transaction contradicts the recorded one, both values in their written form. */
export interface FieldDifference {
  field: string;
  recorded: string | null;
  given: string | null;
}

export type Comparison =
  | { outcome: 'unchanged' }
  /** `finalDetails` are all details, if the change adds names. */
  | { outcome: 'changed'; finalDetails: string | null; detailsRemovedAtMs: number | null }
  | { outcome: 'conflict'; differences: FieldDifference[] };

/**
 * Compares a transaction with the one recorded under its account and reference.
 *
 * An equal transaction changes nothing. A pending transaction can get another status, its time of payment and more details.
 * Any other difference is a conflict.
 */
export function compareWithRecorded(recorded: Transaction, given: Transaction): Comparison {
  if (isEqual(recorded, given)) return { outcome: 'unchanged' };
  const isAdvance = recorded.status === PENDING && given.status !== PENDING;
  const differences = differencesBetween(recorded, given, { isAdvance });
  if (differences.length > 0) return { outcome: 'conflict', differences };
  if (!isAdvance) return { outcome: 'unchanged' };
  const { detailsRemovedAtMs } = recorded;
  return { outcome: 'changed', finalDetails: addedDetails(recorded, given), detailsRemovedAtMs };
}

export function differencesBetween(
  recorded: Transaction,
  given: Transaction,
  { isAdvance = false } = {},
): FieldDifference[] {
  const before: WrittenFields = { ...formatTransaction(recorded) };
  const after: WrittenFields = { ...formatTransaction(given) };
  const valueIn = (fields: WrittenFields, name: string) => (fields[name] ?? null) as string | null;
  const fields = (isAdvance ? FINAL_FIELDS : COMPARED_FIELDS).map(({ name }) => name);
  return [
    ...fields
      .map((field) => ({ field, recorded: valueIn(before, field), given: valueIn(after, field) }))
      .filter((one) => one.recorded !== one.given),
    ...detailDifferences(recorded, given, { canAdd: isAdvance }),
  ];
}

/** Whether a conflict is about a status that is final. */
export const contradictsFinalStatus = (differences: readonly FieldDifference[]): boolean =>
  differences.some(({ field, recorded }) => field === 'status' && recorded !== PENDING);

/** Repeated transactions are mostly equal, and comparing their values is cheaper than formatting them. */
function isEqual(recorded: Transaction, given: Transaction): boolean {
  for (const name in recorded)
    if (recorded[name as keyof Transaction] !== given[name as keyof Transaction]) return false;
  return true;
}
