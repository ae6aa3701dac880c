import type { RowReader } from '../../db/postgres/driver/index.ts';
import type { Transaction } from '../transaction.ts';

/** Reads the values of TRANSACTION_COLUMNS, in their order. */
export function readTransaction(row: RowReader): Transaction {
  return {
    reference: row.text(),
    merchantReference: row.textOrNull(),
    status: row.word(),
    amountMinor: row.integer(),
    currencyCode: row.word(),
    paidAtMs: row.integerOrNull(),
    createdAtMs: row.integer(),
  };
}

/** The same where the row of a join can have no transaction: then every value is null. */
export function readTransactionOrNulls(row: RowReader): {
  [Field in keyof Transaction]: Transaction[Field] | null;
} {
  return {
    reference: row.textOrNull(),
    merchantReference: row.textOrNull(),
    status: row.textOrNull(),
    amountMinor: row.integerOrNull(),
    currencyCode: row.textOrNull(),
    paidAtMs: row.integerOrNull(),
    createdAtMs: row.integerOrNull(),
  };
}
