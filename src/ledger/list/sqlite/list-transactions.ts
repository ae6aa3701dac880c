import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inSnapshot, inSnapshotOfTurn, type Read } from '../../../db/sqlite/open-file.ts';
import { prepared } from '../../../db/sqlite/sqlite-db.ts';
import type { Value } from '../../../db/statement.ts';
import { readRows } from '../../../db/statement-text.ts';
import { type Transaction, type TransactionRow, transactionOf } from '../../transaction.ts';
import {
  isMerged,
  type ListQuery,
  type ListResult,
  type ListShape,
  type ListValue,
  shapeName,
  shapeOf,
  type TransactionLister,
} from '../list.ts';
import { NEXT_STATUS, RETRIEVE } from '../read-transactions.ts';
import { ARCHIVED_BEFORE_SQL, LISTED_COLUMNS, listSql } from './list-sql.ts';

/** All queries in one turn of the event loop read one snapshot. */
export function transactionLister(db: DatabaseSync, read: Read): TransactionLister {
  const list = pageLister(db);
  const inTurn = inSnapshotOfTurn(db);
  return { listTransactions: (query, limit) => inTurn(() => read(list, query, limit)) };
}

function pageLister(db: DatabaseSync): (query: ListQuery, limit: number) => ListResult {
  let archivedBeforeMs: number | null | undefined;
  const columns = [...LISTED_COLUMNS, ARCHIVED_BEFORE_SQL];
  const list = rowLister<TransactionRow, Transaction>(db, columns, (row) => {
    archivedBeforeMs = row.at(-1) as number | null;
    return transactionOf(row);
  });
  return (query, limit) => {
    archivedBeforeMs = undefined;
    const transactions = list(query, limit);
    return { transactions, ...(archivedBeforeMs !== undefined && { archivedBeforeMs }) };
  };
}

export function rowLister<Row, Result>(
  db: DatabaseSync,
  columns: readonly string[],
  read: (row: Row) => Result,
): (query: ListQuery, limit: number) => Result[] {
  const statements = new Map<string, StatementSync>();
  const nextStatus = prepared<[status: string]>(db, NEXT_STATUS);
  const snapshot = inSnapshot(db);

  const readRows = (
    shape: ListShape,
    limit: number,
    values: ListValue[],
    statuses: readonly string[] = [],
  ) => {
    const key = `${shapeName(shape)}${limit} ${statuses.length}`;
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(listSql(shape, limit, statuses.length, columns));
      statement.setReturnArrays(true);
      statements.set(key, statement);
    }
    const rows = statement.all(...values, ...statuses);
    return (rows as unknown as Row[]).map(read);
  };

  const statusesOf = (account: ListValue): string[] => {
    const statuses: string[] = [];
    for (let status = ''; ; ) {
      const row = nextStatus.get({ account, status });
      if (row === undefined) return statuses;
      [status] = row;
      statuses.push(status);
    }
  };

  const mergedRows = (shape: ListShape, limit: number, values: ListValue[]): Result[] =>
    snapshot(() => {
      const statuses = statusesOf(values[0] as string);
      return statuses.length === 0 ? [] : readRows(shape, limit, values, statuses);
    });

  return (query, limit) => {
    const { shape, values } = shapeOf(query);
    return isMerged(shape) ? mergedRows(shape, limit, values) : readRows(shape, limit, values);
  };
}

/** Reads within the caller's database transaction. */
export function transactionRetrieverOn(
  db: DatabaseSync,
): (account: string, reference: string) => Transaction | undefined {
  const retrieve = prepared<Value[]>(db, RETRIEVE);
  return (account, reference) => readRows(RETRIEVE, retrieve.all({ account, reference }))[0];
}
