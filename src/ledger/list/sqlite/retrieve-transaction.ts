import type { DatabaseSync } from 'node:sqlite';
import { rowReader } from '../../../db/sqlite/sqlite-db.ts';
import type { Transaction } from '../../transaction.ts';
import { RETRIEVE } from '../read-transactions.ts';

/** Retrieves a transaction inside the caller's transaction of the database. */
export function transactionRetriever(
  db: DatabaseSync,
): (account: string, reference: string) => Transaction | undefined {
  const read = rowReader(db, RETRIEVE);
  return (account, reference) => read({ account, reference })[0];
}
