import type { DatabaseSync } from 'node:sqlite';
import type { Transaction } from '../../transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../../transaction-columns.ts';
import { NEWEST, type Position } from '../list-query.ts';

/** Reads one range of one index backward. */
const RELATED_SQL = `SELECT ${TRANSACTION_COLUMNS}
FROM transactions INDEXED BY transactions_by_related_to_time
WHERE account = ? AND related_to = ? AND (created_at_ms, reference) < (?, ?)
ORDER BY created_at_ms DESC, reference DESC
LIMIT ? + 0`;

export function relatedLister(
  db: DatabaseSync,
): (account: string, relatedTo: string, after: Position | null, limit: number) => Transaction[] {
  const list = db.prepare(RELATED_SQL);
  list.setReturnArrays(true);
  return (account, relatedTo, after, limit) => {
    const { createdAtMs, reference } = after ?? NEWEST;
    const rows = list.all(account, relatedTo, createdAtMs, reference, limit) as unknown as TransactionRow[];
    return rows.map(transactionOf);
  };
}
