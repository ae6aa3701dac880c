import {
  type formatTransaction,
  TRANSACTION_FIELDS,
  type TransactionField,
} from '../../ledger/transaction-fields.ts';

/** A transaction as responses show it. */
export type ShownTransaction = ReturnType<typeof formatTransaction>;

/** A field of a transaction that a file can have. */
export type ComparableField = Exclude<TransactionField, 'account'>;

export const COMPARABLE_FIELDS = TRANSACTION_FIELDS.filter(
  (field): field is ComparableField => field !== 'account',
);

/** The fields that can identify a transaction in a file. Several transactions can share a merchantReference. */
export const KEY_FIELDS = ['merchantReference', 'reference'] as const satisfies ComparableField[];

export type KeyField = (typeof KEY_FIELDS)[number];

/** What is compared: the key, and the other fields that the file has, in the order of the fields. */
export interface ComparedFields {
  key: KeyField;
  fields: readonly ComparableField[];
}
