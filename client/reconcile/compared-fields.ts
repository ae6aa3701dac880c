import { DETAIL_PREFIX, detailOf, detailOfColumn } from '../../values/detail-name.ts';
import { type ColumnField, fieldsOf, type WholeField } from '../../values/interface/fields.ts';
import type { Transaction } from '../src/transaction.ts';

export type ComparableField = NamedField | `details.${string}`;

type NamedField = WholeField | ColumnField;

export const WHOLE_FIELDS = fieldsOf('text', 'text or null');

/** The fields with fixed names. A file can also contain any detail, such as `details.customer`. */
export const COMPARABLE_FIELDS: readonly NamedField[] = fieldsOf('text', 'text or null', 'optional');

/** The field with the name in a column or option, or null. */
export const fieldNamed = (name: string): ComparableField | null =>
  COMPARABLE_FIELDS.find((field) => field === name) ??
  (detailOfColumn(name) === undefined ? null : (name as ComparableField));

/** A field's value as a column of a file would have it. */
export function comparedValue(transaction: Transaction, field: ComparableField): string | null {
  const name = detailOfColumn(field);
  return (
    (name === undefined ? transaction[field as NamedField] : detailOf(transaction.details, name)) ?? null
  );
}

/** The fields that can identify a transaction in a file. Several transactions can have the same value. */
export const KEY_FIELDS = ['merchantReference', 'reference'] as const satisfies ComparableField[];

export type KeyField = (typeof KEY_FIELDS)[number] | `details.${string}`;

export const isKeyField = (name: string): name is KeyField =>
  KEY_FIELDS.some((field) => field === name) || detailOfColumn(name) !== undefined;

/** The names of the fields in errors. */
export const FIELD_NAMES = `${COMPARABLE_FIELDS.join(', ')} and ${DETAIL_PREFIX}NAME`;

/** How a bank's file is compared: its keys and days. */
export interface MatchRules {
  /** The time zone of the file's days; null for UTC. */
  timeZone: string | null;
  /**
   * By how many days a day in the file can differ from the transaction's day, because banks book on working
   * days.
   */
  toleranceDays: number;
  /** True if the key is part of a longer text. Without a key, the transaction's reference can replace it. */
  isContained?: boolean;
  /** The currency of all lines, if it is known and the file has no column for it. */
  currency?: string | undefined;
}

export const keyOf = (
  transaction: Transaction,
  key: KeyField,
  { isContained = false }: Pick<MatchRules, 'isContained'>,
): string | null => comparedValue(transaction, key) ?? (isContained ? transaction.reference : null);

export const EXACTLY: MatchRules = { timeZone: null, toleranceDays: 0 };

/** The compared fields: the key, and the other fields in the file, in the order of the fields. */
export interface ComparedFields {
  key: KeyField;
  fields: readonly ComparableField[];
}
