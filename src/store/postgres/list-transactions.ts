import { createdAtRange } from '../../core/list/list-filter.ts';
import type { ListQuery } from '../../core/list/list-query.ts';
import type { TransactionLister } from '../../core/store.ts';
import type { Transaction } from '../../core/transaction.ts';
import { equalityColumns, type ListShape, type ListValue, shapeName, shapeOf } from '../list-shape.ts';
import { TRANSACTION_COLUMNS } from '../transaction-columns.ts';
import {
  type Connections,
  LOG_POSITION,
  type ReadStatement,
  type Replicas,
  type RowReader,
  readStatement,
} from './driver/index.ts';
import { selectOfAccount } from './row-level-security.ts';

/**
 * The statement of a list query: it reads one range of one index backward, at most `limit` entries. The rows of the list
 * come first. Rows of neighbouring values can follow, and the caller drops them.
 *
 * PostgreSQL cannot be told which index to use. Filters are therefore the ends of a range of rows in place of equalities,
 * and ORDER BY names their columns: only the index that begins with exactly these columns has that order, so no statistics
 * can make another one look cheaper.
 *
 * PostgreSQL 15 to 17 end a scan at a row comparison only if its first column decides. If a later column does, they read
 * to the end of the account. The lower end is therefore the first column alone, and the limit ends the scan.
 *
 * With `withLogPosition`, each row has the log position, read after the snapshot of the rows: it is never older than they.
 */
export function listSql(shape: ListShape, rowLevelSecurity: boolean, withLogPosition = false): string {
  const { from, end } = shape;
  let count = 1;
  const parameter = () => `$${++count}`;
  const columns = equalityColumns(shape);
  const values = columns.map(parameter);
  const row = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(', ')})`);

  const conditions: string[] = [];
  // The condition of the partial indexes on merchant_reference, which the planner does not derive from a row comparison.
  if (shape.merchantReference) conditions.push('merchant_reference IS NOT NULL');
  if (columns.length > 0) conditions.push(`${columns[0]} >= ${values[0]}`);
  else if (from) conditions.push(`created_at_ms >= ${parameter()}`);
  const upper = (more: readonly string[], comparison: string, moreValues: readonly string[]) =>
    conditions.push(`${row([...columns, ...more])} ${comparison} ${row([...values, ...moreValues])}`);
  if (end === 'open' && columns.length > 0) upper([], '<=', []);
  if (end === 'before') upper(['created_at_ms'], '<', [parameter()]);
  if (end === 'after') upper(['created_at_ms', 'reference'], '<', [parameter(), parameter()]);

  const order = [...columns, 'created_at_ms', 'reference'].map((column) => `${column} DESC`).join(', ');
  const selected = withLogPosition ? `${TRANSACTION_COLUMNS}, ${READ_LOG_POSITION}` : TRANSACTION_COLUMNS;
  const limit = parameter();
  return selectOfAccount(
    rowLevelSecurity,
    selected,
    (account) => `SELECT ${rowLevelSecurity ? TRANSACTION_COLUMNS : selected}
FROM transactions
WHERE ${[`account = ${account}`, ...conditions].join(' AND ')}
ORDER BY ${order}
LIMIT ${limit}`,
  );
}

/** An uncorrelated subquery, which runs once for each list. */
const READ_LOG_POSITION = `(SELECT ${LOG_POSITION})`;

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

/**
 * The shape of the scan whose first rows are the list, and the values of its statement, except the limit. With another
 * filter, `from` does not end the scan.
 */
export function scanOf(query: ListQuery): { shape: ListShape; values: ListValue[] } {
  const scan = shapeOf(query);
  if (!scan.shape.from || equalityColumns(scan.shape).length === 0) return scan;
  return shapeOf({ ...query, filter: { ...query.filter, from: null } });
}

/** Whether a row of the scan belongs to the list. */
function isListed({ filter }: ListQuery): (transaction: Transaction) => boolean {
  const { merchantReference, status, currency } = filter;
  const { fromMs } = createdAtRange(filter);
  return (transaction) =>
    (merchantReference === null || transaction.merchantReference === merchantReference) &&
    (status === null || transaction.status === status) &&
    (currency === null || transaction.currencyCode === currency) &&
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

  const statementOf = (shape: ListShape): ReadStatement<ListRow> => {
    const key = shapeName(shape);
    let found = statements.get(key);
    if (found === undefined) {
      found = readStatement(listSql(shape, rowLevelSecurity, withLogPosition), readRow);
      statements.set(key, found);
    }
    return found;
  };

  return {
    listTransactions: async (query, limit) => {
      const { shape, values } = scanOf(query);
      const list = (from: Connections) => from.read(statementOf(shape), [...values, limit]);
      const rows =
        replicas === null ? await list(primary) : await replicas.read(query.after?.logPosition, list);
      const transactions = rows.map(({ transaction }) => transaction).filter(isListed(query));
      assertOrder(transactions);
      const logPosition = rows[0]?.logPosition;
      return { transactions, ...(logPosition !== undefined && { logPosition }) };
    },
  };
}

/** In the order of TRANSACTION_COLUMNS. */
function readTransaction(row: RowReader): Transaction {
  return {
    reference: row.text(),
    merchantReference: row.textOrNull(),
    status: row.word(),
    amountMinor: row.integer(),
    currencyCode: row.word(),
    paidAtMs: row.integerOrNull(),
    createdAtMs: row.integer(),
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
