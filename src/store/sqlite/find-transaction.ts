import type { DatabaseSync } from 'node:sqlite';
import type { TransactionFinder } from '../../core/store.ts';
import { asking } from './database.ts';
import { type Row, transactionOf } from './list-transactions.ts';

export function transactionFinder(db: DatabaseSync): TransactionFinder {
  const find = db.prepare(
    `SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms
     FROM transactions WHERE account = ? AND reference = ?`,
  );
  find.setReturnArrays(true);
  return {
    findTransaction: async (account, reference) => {
      const row = asking(() => find.get(account, reference)) as unknown as Row | undefined;
      return row && transactionOf(row);
    },
  };
}
