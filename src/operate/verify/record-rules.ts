import { LABEL_MAX_CHARACTERS } from '../../keys/api-key.ts';
import {
  orNull,
  STORED_IDENTIFIER,
  STORED_TIME,
  type StoredForm,
  storedInteger,
  storedText,
} from '../../ledger/transaction-fields.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import type { RowFault } from './check-row.ts';
import type { Check, Verified } from './disagreement.ts';
import type { StoredRecord } from './verify-reader.ts';

/** Columns that have a secret, or can have one if they are wrong: their values are never shown. */
export const SECRET_COLUMNS: readonly string[] = [
  'hash',
  'key_start',
  'fingerprint',
  'secret',
  'previous_secret',
  'url',
];

export type Rule = readonly [column: string, form: StoredForm];

export const OPTIONAL_TIME = orNull(STORED_TIME);
export const OPTIONAL_LABEL = orNull(storedText(LABEL_MAX_CHARACTERS));
export const COUNT = storedInteger(0, Number.MAX_SAFE_INTEGER, 'a number of at least 0');
export const accountOrOperator = (expected: string): StoredForm => ({
  isValid: (value) => value === OPERATOR_ACCOUNT || STORED_IDENTIFIER.isValid(value),
  expected: `${expected}, or ${OPERATOR_ACCOUNT}`,
});

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

export const textOf = (value: unknown) => (typeof value === 'string' ? value : String(value));

export function bothOrNeither(record: StoredRecord, one: string, other: string): RowFault[] {
  const [first, second] = [record[one], record[other]];
  if ((first === null) === (second === null)) return [];
  return [{ found: `${one} ${first} with ${other} ${second}`, expected: 'both or neither' }];
}
