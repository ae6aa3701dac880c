import type { DatabaseSync } from 'node:sqlite';
import type { TransactionRetriever } from '../../core/store.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import { asking } from './database.ts';

export function transactionRetriever(db: DatabaseSync): TransactionRetriever {
  const find = db.prepare(
    `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  find.setReturnArrays(true);
  return {
    retrieveTransaction: async (account, reference) => {
      const row = asking(() => find.get(account, reference)) as unknown as TransactionRow | undefined;
      return row && transactionOf(row);
    },
  };
}
