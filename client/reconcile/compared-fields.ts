import { DETAIL_PREFIX, detailOf, detailOfColumn } from '../../values/detail-name.ts';
import { type ColumnField, fieldsOf, type WholeField } from '../../values/interface/fields.ts';
import type { Transaction } from '../src/transaction.ts';

export type ComparableField = NamedField | `details.${string}`;

type NamedField = WholeField | ColumnField;

export const WHOLE_FIELDS = fieldsOf('text', 'text or null');

export const COMPARABLE_FIELDS: readonly NamedField[] = fieldsOf('text', 'text or null', 'optional');

export const fieldNamed = (name: string): ComparableField | null =>
  COMPARABLE_FIELDS.find((field) => field === name) ??
  (detailOfColumn(name) === undefined ? null : (name as ComparableField));

export function comparedValue(transaction: Transaction, field: ComparableField): string | null {
  const name = detailOfColumn(field);
  return (
    (name === undefined ? transaction[field as NamedField] : detailOf(transaction.details, name)) ?? null
  );
}

export const KEY_FIELDS = ['merchantReference', 'reference'] as const satisfies ComparableField[];

export type KeyField = (typeof KEY_FIELDS)[number] | `details.${string}`;

export const isKeyField = (name: string): name is KeyField =>
  KEY_FIELDS.some((field) => field === name) || detailOfColumn(name) !== undefined;

export const FIELD_NAMES = `${COMPARABLE_FIELDS.join(', ')} and ${DETAIL_PREFIX}NAME`;

export interface MatchRules {
  /** Null means UTC. */
  timeZone: string | null;
  /** The day of a payment can differ by this many days, because banks book only on working days. */
  toleranceDays: number;
  /** True if each key of the file is inside a text, such as "order-10482" in "Thanks for order-10482". */
  isContained?: boolean;
  currency?: string | undefined;
}

/** With `isContained`, a transaction whose key field has no value has its `reference` as its key. */
export const keyOf = (
  transaction: Transaction,
  key: KeyField,
  { isContained = false }: Pick<MatchRules, 'isContained'>,
): string | null => comparedValue(transaction, key) ?? (isContained ? transaction.reference : null);

export const EXACTLY: MatchRules = { timeZone: null, toleranceDays: 0 };

export interface ComparedFields {
  key: KeyField;
  fields: readonly ComparableField[];
}
