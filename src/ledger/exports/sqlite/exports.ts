import type { DatabaseSync } from 'node:sqlite';
import type { ListQuery } from '../../list/list.ts';
import { rowLister } from '../../list/sqlite/list-transactions.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../../transaction.ts';
import type { NumberedTransaction } from '../export.ts';

const NUMBERED_COLUMNS = [
  ...TRANSACTION_COLUMNS.split(', '),
  'pending_sequence',
  'pending_recorded_at_ms',
  'final_sequence',
  'final_recorded_at_ms',
];

/** Runs list queries that return each transaction with its sequence numbers. */
export function numberedLister(db: DatabaseSync): (query: ListQuery, limit: number) => NumberedTransaction[] {
  return rowLister<TransactionRow, NumberedTransaction>(db, NUMBERED_COLUMNS, (row) => ({
    transaction: transactionOf(row),
    pendingSequence: row.at(-4) as number | null,
    pendingRecordedAtMs: row.at(-3) as number | null,
    finalSequence: row.at(-2) as number | null,
    finalRecordedAtMs: row.at(-1) as number | null,
  }));
}
