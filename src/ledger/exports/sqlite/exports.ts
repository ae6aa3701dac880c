import type { DatabaseSync } from 'node:sqlite';
import type { ListQuery } from '../../list/list.ts';
import { rowLister } from '../../list/sqlite/list-transactions.ts';
import { type TransactionRow, transactionOf } from '../../transaction.ts';
import { NUMBERED_COLUMNS, type NumberedTransaction } from '../export.ts';

export function numberedLister(db: DatabaseSync): (query: ListQuery, limit: number) => NumberedTransaction[] {
  return rowLister<TransactionRow, NumberedTransaction>(db, NUMBERED_COLUMNS.split(', '), (row) => ({
    transaction: transactionOf(row),
    pendingSequence: row.at(-4) as number | null,
    pendingRecordedAtMs: row.at(-3) as number | null,
    finalSequence: row.at(-2) as number | null,
    finalRecordedAtMs: row.at(-1) as number | null,
  }));
}
