import { createdAtRange, EQUALITY_FILTERS, type EqualityFilter } from '../../core/list/list-filter.ts';
import type { ListQuery } from '../../core/list/list-query.ts';
import type { TransactionLister } from '../../core/store.ts';
import type { Transaction } from '../../core/transaction.ts';
import {
  equalityColumns,
  isMerged,
  type ListShape,
  type ListValue,
  shapeName,
  shapeOf,
} from '../list-shape.ts';
import {
  type Connections,
  type ReadStatement,
  type Replicas,
  type RowReader,
  readStatement,
} from './driver/index.ts';
import { KnownStatuses } from './known-statuses.ts';
import { listSql } from './list-sql.ts';
import { readTransaction } from './read-transaction.ts';

export interface ListerOptions {
  primary: Connections;
  replicas: Replicas | null;
  rowLevelSecurity: boolean;
}

interface ListRow {
  transaction: Transaction;
  /** Where the database was in its log; undefined without replicas. */
  logPosition: string | undefined;
}

interface Scan {
  shape: ListShape;
  values: ListValue[];
}

/**
 * The shape of the scan whose first rows are the list, and the values of its statement, except the limit. With another
 * filter, `from` does not end the scan.
 */
export function scanOf(query: ListQuery): Scan {
  const scan = shapeOf(query);
  if (!scan.shape.from || equalityColumns(scan.shape).length === 0) return scan;
  return shapeOf({ ...query, filter: { ...query.filter, from: null } });
}

const EQUAL_FIELDS = Object.entries(EQUALITY_FILTERS) as [EqualityFilter, keyof Transaction][];

/** Whether a row of the scan belongs to the list. */
function isListed({ filter }: ListQuery): (transaction: Transaction) => boolean {
  const { fromMs } = createdAtRange(filter);
  const compared = EQUAL_FIELDS.filter(([name]) => filter[name] !== null);
  return (transaction) =>
    compared.every(([name, field]) => transaction[field] === filter[name]) &&
    (fromMs === null || transaction.createdAtMs >= fromMs);
}

/** Runs list queries with statements that are prepared once on each connection. */
export function transactionLister({ primary, replicas, rowLevelSecurity }: ListerOptions): TransactionLister {
  const withLogPosition = replicas !== null;
  const readRow = (row: RowReader): ListRow => ({
    transaction: readTransaction(row),
    logPosition: withLogPosition ? row.text() : undefined,
  });
  const statements = new Map<string, ReadStatement<ListRow>>();
  const known = new KnownStatuses();

  const statementOf = (shape: ListShape, statuses: number): ReadStatement<ListRow> => {
    const key = `${shapeName(shape)}${statuses}`;
    let found = statements.get(key);
    if (found === undefined) {
      const sql = listSql(shape, { rowLevelSecurity, withLogPosition, statuses });
      found = readStatement(sql, readRow);
      statements.set(key, found);
    }
    return found;
  };

  const readRows = (
    query: ListQuery,
    { shape, values }: Scan,
    limit: number,
    statuses: readonly string[],
  ) => {
    const statement = statementOf(shape, statuses.length);
    const list = (from: Connections) => from.read(statement, [...values, limit, ...statuses]);
    return replicas === null ? list(primary) : replicas.read(query.after?.logPosition, list);
  };

  /** Repeats a merged list until the table has no other status than those that it was merged from. */
  const readMergedRows = async (query: ListQuery, scan: Scan, limit: number): Promise<ListRow[]> => {
    for (;;) {
      const statuses = known.sorted;
      const rows = await readRows(query, scan, limit, statuses);
      const others = rows
        .map(({ transaction }) => transaction.status)
        .filter((one) => !statuses.includes(one));
      if (others.length === 0) return rows;
      known.add(others);
    }
  };

  return {
    listTransactions: async (query, limit) => {
      const scan = scanOf(query);
      const rows = isMerged(scan.shape)
        ? await readMergedRows(query, scan, limit)
        : await readRows(query, scan, limit, []);
      const transactions = rows.map(({ transaction }) => transaction).filter(isListed(query));
      assertOrder(transactions);
      const logPosition = rows[0]?.logPosition;
      return { transactions, ...(logPosition !== undefined && { logPosition }) };
    },
  };
}

/** A join with the one row of `caller` keeps the order of the rows, but SQL does not guarantee it. */
function assertOrder(transactions: readonly Transaction[]): void {
  for (let index = 1; index < transactions.length; index++) {
    const before = transactions[index - 1] as Transaction;
    const { createdAtMs, reference } = transactions[index] as Transaction;
    const follows =
      createdAtMs < before.createdAtMs ||
      (createdAtMs === before.createdAtMs && reference < before.reference);
    if (!follows) throw new Error('PostgreSQL returned a list in the wrong order');
  }
}
