import type { DatabaseSync } from 'node:sqlite';
import type { Transaction } from '../../transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../../transaction-columns.ts';

/** Retrieves transactions by account and reference, with a statement that is prepared once. */
export function transactionRetriever(
  db: DatabaseSync,
): (account: string, reference: string) => Transaction | undefined {
  const retrieve = db.prepare(
    `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  retrieve.setReturnArrays(true);
  return (account, reference) => {
    const row = retrieve.get(account, reference) as unknown as TransactionRow | undefined;
    return row && transactionOf(row);
  };
}
