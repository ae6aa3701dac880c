import type { DatabaseSync } from 'node:sqlite';
import type { TransactionFinder } from '../../core/store.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import { asking } from './database.ts';

export function transactionFinder(db: DatabaseSync): TransactionFinder {
  const find = db.prepare(
    `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  find.setReturnArrays(true);
  return {
    findTransaction: async (account, reference) => {
      const row = asking(() => find.get(account, reference)) as unknown as TransactionRow | undefined;
      return row && transactionOf(row);
    },
  };
}
