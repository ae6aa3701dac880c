import { TRANSACTION_FIELDS, type Transaction } from '../../client/src/transaction.ts';
import { guardedCsvCell } from '../../src/values/csv-cell.ts';

const FIELDS = Object.keys(TRANSACTION_FIELDS) as (keyof typeof TRANSACTION_FIELDS)[];

/** Some transactions as a CSV file with the columns of an export, in which no text runs as a formula. Amounts and times are as they are. */
export function csvOf(transactions: readonly Transaction[]): Blob {
  const lines = transactions.map((transaction) =>
    FIELDS.map((field) => guardedCsvCell(transaction[field] ?? '')).join(','),
  );
  return new Blob([[FIELDS.join(','), ...lines, ''].join('\r\n')], { type: 'text/csv;charset=utf-8' });
}
