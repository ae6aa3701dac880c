import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ListQuery } from '../../core/list/list-query.ts';
import type { Transaction } from '../../core/transaction.ts';
import { equalityColumns, type ListShape, shapeName, shapeOf } from '../list-shape.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-columns.ts';

/**
 * The statement of a list query: it reads one range of one index backward, at most `limit` entries.
 *
 * It names the index, because statistics or a later version of SQLite could make the planner choose another. The limit is
 * a constant: if it were a parameter, SQLite would plan the statement again each time, at twice the cost.
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

/** An index is named after the columns that follow the account in it. */
function indexOf(columns: readonly string[]): string {
  return `transactions_by_${columns.join('_').replace('currency_code', 'currency')}`;
}

/** Runs list queries with statements that are prepared once. */
export function transactionLister(db: DatabaseSync): (query: ListQuery, limit: number) => Transaction[] {
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

  return (query, limit) => {
    const { shape, values } = shapeOf(query);
    const rows = statementOf(shape, limit).all(...values);
    return (rows as unknown as TransactionRow[]).map(transactionOf);
  };
}
