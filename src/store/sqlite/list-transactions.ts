import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { createdAtRange } from '../../core/list-filter.ts';
import type { ListQuestion } from '../../core/list-question.ts';
import type { Transaction } from '../../core/transaction.ts';

/** Which restrictions a list has: each combination is a statement of its own. */
export interface ListShape {
  status: boolean;
  currency: boolean;
  from: boolean;
  /** The newer end: a day, a position (which is never newer than the day), or open. */
  end: 'open' | 'before' | 'after';
}

/**
 * The statement of a list: a backward read of one range of one index, at most `limit` entries long.
 *
 * The index is named, so that no statistics and no planner of a later version can choose another. The limit is
 * written out: SQLite plans a statement anew, at twice its cost, whenever a parameter of its limit is bound.
 */
export function listSql({ status, currency, from, end }: ListShape, limit: number): string {
  const index =
    status && currency
      ? 'INDEXED BY transactions_by_status_currency'
      : status
        ? 'INDEXED BY transactions_by_status'
        : currency
          ? 'INDEXED BY transactions_by_currency'
          : 'NOT INDEXED'; // the clustered table itself
  const conditions = [
    'account = ?',
    status && 'status = ?',
    currency && 'currency_code = ?',
    from && 'created_at_ms >= ?',
    end === 'before' && 'created_at_ms < ?',
    end === 'after' && '(created_at_ms, reference) < (?, ?)',
  ].filter((condition) => condition !== false);
  return `SELECT reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms
FROM transactions ${index}
WHERE ${conditions.join(' AND ')}
ORDER BY created_at_ms DESC, reference DESC
LIMIT ${limit}`;
}

export type Row = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
];

export function transactionOf(row: Row): Transaction {
  return {
    reference: row[0],
    merchantReference: row[1],
    status: row[2],
    amountMinor: row[3],
    currencyCode: row[4],
    paidAtMs: row[5],
    createdAtMs: row[6],
  };
}

/** Answers list questions with statements that are prepared once. */
export function transactionLister(
  db: DatabaseSync,
): (question: ListQuestion, limit: number) => Transaction[] {
  const statements = new Map<string, StatementSync>();

  const statementOf = (shape: ListShape, limit: number): StatementSync => {
    const key = `${shape.status}${shape.currency}${shape.from}${shape.end}${limit}`;
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(listSql(shape, limit));
      statement.setReturnArrays(true);
      statements.set(key, statement);
    }
    return statement;
  };

  return ({ account, filter, after }, limit) => {
    const { fromMs, beforeMs } = createdAtRange(filter);
    const values: SQLInputValue[] = [account];
    if (filter.status !== null) values.push(filter.status);
    if (filter.currency !== null) values.push(filter.currency);
    if (fromMs !== null) values.push(fromMs);
    if (after !== null) values.push(after.createdAtMs, after.reference);
    else if (beforeMs !== null) values.push(beforeMs);
    const shape: ListShape = {
      status: filter.status !== null,
      currency: filter.currency !== null,
      from: fromMs !== null,
      end: after !== null ? 'after' : beforeMs !== null ? 'before' : 'open',
    };
    return (statementOf(shape, limit).all(...values) as unknown as Row[]).map(transactionOf);
  };
}
