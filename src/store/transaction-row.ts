import type { Transaction } from '../core/transaction.ts';

/** The columns of a transaction without its account, in the order of a row. */
export const TRANSACTION_COLUMNS =
  'reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms';

export type TransactionRow = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
];

export function transactionOf(row: TransactionRow): Transaction {
  return {
    reference: row[0],
    merchantReference: row[1],
    status: row[2],
    amountMinor: row[3],
    currencyCode: row[4],
    paidAtMs: row[5],
    createdAtMs: row[6],
  };
}
