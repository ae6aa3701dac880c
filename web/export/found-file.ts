import { TRANSACTION_FIELDS, type Transaction } from '../../client/src/transaction.ts';
import { guardedCsvCell } from '../../src/values/csv-cell.ts';
import { clockOf, UTC } from '../text/time.ts';

const FIELDS = Object.keys(TRANSACTION_FIELDS) as (keyof typeof TRANSACTION_FIELDS)[];

/** Some transactions as a CSV file with the columns of an export, in which no text runs as a formula. Amounts and times are as they are. */
export function csvOf(transactions: readonly Transaction[], zone: string): Blob {
  const local = (time: string | null) => {
    if (time === null) return '';
    const { shown, offset } = clockOf(zone, Date.parse(time));
    return shown + offset.replace('\u2212', '-');
  };
  const names = [...FIELDS, ...(zone === UTC ? [] : ['paidAtLocal', 'createdAtLocal'])];
  const lines = transactions.map((transaction) =>
    [
      ...FIELDS.map((field) => guardedCsvCell(transaction[field] ?? '')),
      ...(zone === UTC ? [] : [local(transaction.paidAt), local(transaction.createdAt)]),
    ].join(','),
  );
  return new Blob([[names.join(','), ...lines, ''].join('\r\n')], { type: 'text/csv;charset=utf-8' });
}
