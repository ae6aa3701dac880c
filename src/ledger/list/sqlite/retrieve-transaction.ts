import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import type { Value } from '../../../db/statement.ts';
import { readRows } from '../../../db/statement-text.ts';
import type { Transaction } from '../../transaction.ts';
import { RETRIEVE } from '../read-transactions.ts';

/** Retrieves a transaction inside the caller's transaction of the database. */
export function transactionRetrieverOn(
  db: DatabaseSync,
): (account: string, reference: string) => Transaction | undefined {
  const retrieve = prepared<Value[]>(db, RETRIEVE);
  return (account, reference) => readRows(RETRIEVE, retrieve.all({ account, reference }))[0];
}
