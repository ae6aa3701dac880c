import type { Row } from '../db/statement.ts';
import type { Transaction } from './transaction.ts';

/** Reads the values of TRANSACTION_COLUMNS, in their order. */
export const readTransactionRow = (row: Row): Transaction => ({
  reference: row.text(),
  merchantReference: row.textOrNull(),
  status: row.word(),
  amountMinor: row.integer(),
  currencyCode: row.word(),
  paidAtMs: row.integerOrNull(),
  createdAtMs: row.integer(),
  relatedTo: row.textOrNull(),
  details: row.textOrNull(),
  finalDetails: row.textOrNull(),
  detailsRemovedAtMs: row.integerOrNull(),
});

/** Reads the row of a join that can have no transaction: then every value is null. */
export const readTransactionOrNulls = (
  row: Row,
): { [Field in keyof Transaction]: Transaction[Field] | null } => ({
  reference: row.textOrNull(),
  merchantReference: row.textOrNull(),
  status: row.textOrNull(),
  amountMinor: row.integerOrNull(),
  currencyCode: row.textOrNull(),
  paidAtMs: row.integerOrNull(),
  createdAtMs: row.integerOrNull(),
  relatedTo: row.textOrNull(),
  details: row.textOrNull(),
  finalDetails: row.textOrNull(),
  detailsRemovedAtMs: row.integerOrNull(),
});
