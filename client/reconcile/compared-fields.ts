import { DETAIL_PREFIX, detailOf, detailOfColumn } from '../../values/detail-name.ts';
import { type ColumnField, fieldsOf, type WholeField } from '../../values/interface/fields.ts';
import type { Transaction } from '../src/transaction.ts';

/** A field of a transaction that a file can have. */
export type ComparableField = NamedField | `details.${string}`;

type NamedField = WholeField | ColumnField;

/** The fields that every transaction has. */
export const WHOLE_FIELDS = fieldsOf('text', 'text or null');

/** The fields with fixed names. A file can also have any detail, such as `details.customer`. */
export const COMPARABLE_FIELDS: readonly NamedField[] = fieldsOf('text', 'text or null', 'optional');

/** The field that a column or an option names, or null. */
export const fieldNamed = (name: string): ComparableField | null =>
  COMPARABLE_FIELDS.find((field) => field === name) ??
  (detailOfColumn(name) === undefined ? null : (name as ComparableField));

/** The value of a transaction's field in the form of a file's column. */
export function comparedValue(transaction: Transaction, field: ComparableField): string | null {
  const name = detailOfColumn(field);
  return (
    (name === undefined ? transaction[field as NamedField] : detailOf(transaction.details, name)) ?? null
  );
}

/** The fields that can identify a transaction in a file. Several transactions can share one. */
export const KEY_FIELDS = ['merchantReference', 'reference'] as const satisfies ComparableField[];

export type KeyField = (typeof KEY_FIELDS)[number] | `details.${string}`;

export const isKeyField = (name: string): name is KeyField =>
  KEY_FIELDS.some((field) => field === name) || detailOfColumn(name) !== undefined;

/** How errors name the fields. */
export const FIELD_NAMES = `${COMPARABLE_FIELDS.join(', ')} and ${DETAIL_PREFIX}NAME`;

/** The comparison of a file whose keys and days are those of a bank. */
export interface MatchRules {
  /** The time zone of the file's days; null for UTC. */
  timeZone: string | null;
  /**
   * The number of days by which a day of the file can differ from that of its transaction: banks book on
   * working days.
   */
  toleranceDays: number;
  /** True if the key is part of a longer text. The reference of a transaction without key can replace it. */
  isContained?: boolean;
  /** The currency of all lines of a file without a column for it, if it is known. */
  currency?: string | undefined;
}

/** The key by which the line of a transaction is found. */
export const keyOf = (
  transaction: Transaction,
  key: KeyField,
  { isContained = false }: Pick<MatchRules, 'isContained'>,
): string | null => comparedValue(transaction, key) ?? (isContained ? transaction.reference : null);

export const EXACTLY: MatchRules = { timeZone: null, toleranceDays: 0 };

/** The compared fields: the key, and the other fields that the file has, in the order of the fields. */
export interface ComparedFields {
  key: KeyField;
  fields: readonly ComparableField[];
}
