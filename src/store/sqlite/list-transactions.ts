import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ListQuery } from '../../core/list/list-query.ts';
import type { Transaction } from '../../core/transaction.ts';
import { equalityColumns, type ListShape, shapeName, shapeOf } from '../list-shape.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';

/**
 * The statement of a list: a backward read of one range of one index, at most `limit` entries long.
 *
 * The index is named, so that no statistics and no planner of a later version can choose another. The limit is
 * written out: SQLite plans a statement anew, at twice its cost, whenever a parameter of its limit is bound.
 */
export function listSql(shape: ListShape, limit: number): string {
  const columns = equalityColumns(shape);
  const conditions = ['account', ...columns].map((column) => `${column} = ?`);
  if (shape.from) conditions.push('created_at_ms >= ?');
  if (shape.end === 'before') conditions.push('created_at_ms < ?');
  if (shape.end === 'after') conditions.push('(created_at_ms, reference) < (?, ?)');
  return `SELECT ${TRANSACTION_COLUMNS}
FROM transactions ${columns.length === 0 ? CLUSTERED_TABLE : `INDEXED BY ${indexOf(columns)}`}
WHERE ${conditions.join(' AND ')}
ORDER BY created_at_ms DESC, reference DESC
LIMIT ${limit}`;
}

const CLUSTERED_TABLE = 'NOT INDEXED';

/** Indexes are named after the columns that they begin with, behind the account. */
function indexOf(columns: readonly string[]): string {
  return `transactions_by_${columns.join('_').replace('currency_code', 'currency')}`;
}

/** Answers list questions with statements that are prepared once. */
export function transactionLister(db: DatabaseSync): (question: ListQuery, limit: number) => Transaction[] {
  const statements = new Map<string, StatementSync>();

  const statementOf = (shape: ListShape, limit: number): StatementSync => {
    const key = `${shapeName(shape)}${limit}`;
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(listSql(shape, limit));
      statement.setReturnArrays(true);
      statements.set(key, statement);
    }
    return statement;
  };

  return (question, limit) => {
    const { shape, values } = shapeOf(question);
    const rows = statementOf(shape, limit).all(...values);
    return (rows as unknown as TransactionRow[]).map(transactionOf);
  };
}
