import type { RowFault } from './check-row.ts';
import type { Check, Verified } from './disagreement.ts';
import type { StoredRecord } from './verify-reader.ts';

export type Value = string | number | null | undefined;

/** Columns that have a secret, or can have one if they are wrong: their values are never shown. */
export const SECRET_COLUMNS: readonly string[] = [
  'hash',
  'key_start',
  'fingerprint',
  'secret',
  'previous_secret',
  'url',
];

export type Rule = readonly [column: string, isValid: (value: Value) => boolean, expected: string];

export const isText = (min: number, max: number) => (value: Value) =>
  typeof value === 'string' && [...value].length >= min && [...value].length <= max;
export const isMatch = (form: RegExp) => (value: Value) => typeof value === 'string' && form.test(value);
export const orNull = (isValid: (value: Value) => boolean) => (value: Value) =>
  value === null || isValid(value);

export const IDENTIFIER_TEXT = '1 to 64 characters of A-Z, a-z, 0-9, ".", "_" and "-"';
export const TIME_TEXT = 'a time in the years 1 to 9999';
export const OPTIONAL_TIME_TEXT = `${TIME_TEXT}, or null`;

/** The rules of a small table. */
export interface TableRules {
  check: Check;
  count: keyof Verified | null;
  rules: readonly Rule[];
  /** Names a record without what is secret. */
  place(record: StoredRecord): string;
  account(record: StoredRecord): string | null;
  /** Rules of several columns. */
  together(record: StoredRecord): RowFault[];
  /** Compares a record with other tables. */
  compare?(record: StoredRecord): Promise<RowFault[]>;
}

export const textOf = (value: Value) => (typeof value === 'string' ? value : String(value));

export function bothOrNeither(record: StoredRecord, one: string, other: string): RowFault[] {
  const [first, second] = [record[one], record[other]];
  if ((first === null) === (second === null)) return [];
  return [{ found: `${one} ${first} with ${other} ${second}`, expected: 'both or neither' }];
}
