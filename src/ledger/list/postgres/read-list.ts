import { type ReadStatement, readStatement } from '../../../db/postgres/driver/index.ts';
import { compareInList, type Transaction } from '../../transaction.ts';
import type { ListQuery } from '../list.ts';
import {
  equalityColumns,
  equalityMatcher,
  isMerged,
  type ListShape,
  type ListValue,
  shapeName,
  shapeOf,
  timeRange,
} from '../list.ts';
import { type ListSqlOptions, listSql } from './list-sql.ts';

interface ListReaderOptions<Row> {
  sql: Omit<ListSqlOptions, 'statuses'>;
  readRow: ReadStatement<Row>['readRow'];
  send(query: ListQuery, statement: ReadStatement<Row>, values: readonly (string | number)[]): Promise<Row[]>;
}

interface Scan {
  shape: ListShape;
  values: ListValue[];
}

/**
 * PostgreSQL 15 to 17 would not stop at the first row before `from`, but read all older rows. So with an
 * equality filter, the statement leaves out `from`, and `isListed` drops the rows before `from`.
 */
export function scanOf(query: ListQuery): Scan {
  const scan = shapeOf(query);
  if (!scan.shape.from || equalityColumns(scan.shape).length === 0) return scan;
  return shapeOf({ ...query, filter: { ...query.filter, from: null } });
}

function isListed({ filter }: ListQuery): (row: { transaction: Transaction }) => boolean {
  const { fromMs } = timeRange(filter);
  const hasValues = equalityMatcher(filter);
  return ({ transaction }) =>
    hasValues(transaction) && (fromMs === null || transaction.createdAtMs >= fromMs);
}

export function listReader<Row extends { transaction: Transaction }>({
  sql,
  readRow,
  send,
}: ListReaderOptions<Row>): (query: ListQuery, limit: number) => Promise<Row[]> {
  const statements = new Map<string, ReadStatement<Row>>();
  const known = new KnownStatuses();

  const statementOf = (shape: ListShape, statuses: number): ReadStatement<Row> => {
    const key = `${shapeName(shape)}${statuses}`;
    let found = statements.get(key);
    if (found === undefined) {
      found = readStatement(listSql(shape, { ...sql, statuses }), readRow);
      statements.set(key, found);
    }
    return found;
  };

  const readRows = (query: ListQuery, { shape, values }: Scan, limit: number, statuses: readonly string[]) =>
    send(query, statementOf(shape, statuses.length), [...values, limit, ...statuses]);

  const readMergedRows = async (query: ListQuery, scan: Scan, limit: number): Promise<Row[]> => {
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

  return async (query, limit) => {
    const scan = scanOf(query);
    const rows = isMerged(scan.shape)
      ? await readMergedRows(query, scan, limit)
      : await readRows(query, scan, limit, []);
    const listed = rows.filter(isListed(query));
    assertOrder(listed);
    return listed;
  };
}

/** The statuses that were found in the table. The table can have statuses that are no longer declared. */
class KnownStatuses {
  #sorted: readonly string[] = ['completed', 'pending'];

  /** In the order of the database, which is by bytes. */
  get sorted(): readonly string[] {
    return this.#sorted;
  }

  add(statuses: readonly string[]): void {
    this.#sorted = [...new Set([...this.#sorted, ...statuses])].sort();
  }
}

/** SQL does not guarantee the order of a join's rows. */
function assertOrder(rows: readonly { transaction: Transaction }[]): void {
  for (let index = 1; index < rows.length; index++) {
    const before = (rows[index - 1] as { transaction: Transaction }).transaction;
    const { transaction } = rows[index] as { transaction: Transaction };
    if (compareInList(before, transaction) >= 0)
      throw new Error('PostgreSQL returned a list in the wrong order');
  }
}
