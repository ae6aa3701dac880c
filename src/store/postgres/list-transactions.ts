import { createdAtRange } from '../../core/list/list-filter.ts';
import type { ListQuery } from '../../core/list/list-query.ts';
import type { TransactionLister } from '../../core/store.ts';
import type { Transaction } from '../../core/transaction.ts';
import { equalityColumns, type ListShape, type ListValue, shapeName, shapeOf } from '../list-shape.ts';
import { TRANSACTION_COLUMNS } from '../transaction-row.ts';
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
 * The statement of a list: a backward read of one range of one index, at most `limit` entries long. Its rows begin
 * with those of the list, and rows of neighbouring values may follow them, which the caller cuts off.
 *
 * PostgreSQL has no way to name an index. Filters are therefore not written as equalities but as the ends of
 * a range of rows, and the order names their columns: only the one index that begins with exactly these has
 * that order, so no statistics can make another one look cheaper.
 *
 * PostgreSQL 15 to 17 end a scan at a row comparison only where its first column decides, and read on to the end of
 * the account where a later column does. The lower end is therefore the first column alone; the limit ends the rest.
 *
 * With `tellSeen`, the position in the log is read after the rows became visible, so that it is never less than what
 * they show.
 */
export function listSql(shape: ListShape, rowLevelSecurity: boolean, tellSeen = false): string {
  const { from, end } = shape;
  let count = 1;
  const parameter = () => `$${++count}`;
  const columns = equalityColumns(shape);
  const values = columns.map(parameter);
  const row = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(', ')})`);

  const conditions: string[] = [];
  // What the indexes of merchant_reference hold, which a comparison of rows does not tell the planner.
  if (shape.merchantReference) conditions.push('merchant_reference IS NOT NULL');
  if (columns.length > 0) conditions.push(`${columns[0]} >= ${values[0]}`);
  else if (from) conditions.push(`created_at_ms >= ${parameter()}`);
  const upper = (more: readonly string[], comparison: string, moreValues: readonly string[]) =>
    conditions.push(`${row([...columns, ...more])} ${comparison} ${row([...values, ...moreValues])}`);
  if (end === 'open' && columns.length > 0) upper([], '<=', []);
  if (end === 'before') upper(['created_at_ms'], '<', [parameter()]);
  if (end === 'after') upper(['created_at_ms', 'reference'], '<', [parameter(), parameter()]);

  const order = [...columns, 'created_at_ms', 'reference'].map((column) => `${column} DESC`).join(', ');
  const told = tellSeen ? `${TRANSACTION_COLUMNS}, ${SEEN}` : TRANSACTION_COLUMNS;
  const limit = parameter();
  return selectOfAccount(
    rowLevelSecurity,
    told,
    (account) => `SELECT ${rowLevelSecurity ? TRANSACTION_COLUMNS : told}
FROM transactions
WHERE ${[`account = ${account}`, ...conditions].join(' AND ')}
ORDER BY ${order}
LIMIT ${limit}`,
  );
}

/** Uncorrelated, so that it is asked once for each list. */
const SEEN = `(SELECT ${LOG_POSITION})`;

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
 * The scan whose first rows are a list, and the values of its statement, except the limit. Beside another filter,
 * `from` is not the end of a scan.
 */
export function scanOf(query: ListQuery): { shape: ListShape; values: ListValue[] } {
  const scan = shapeOf(query);
  if (!scan.shape.from || equalityColumns(scan.shape).length === 0) return scan;
  return shapeOf({ ...query, filter: { ...query.filter, from: null } });
}

/** Tells the rows of a list from those that follow them in its scan. */
function isListed({ filter }: ListQuery): (transaction: Transaction) => boolean {
  const { merchantReference, status, currency } = filter;
  const { fromMs } = createdAtRange(filter);
  return (transaction) =>
    (merchantReference === null || transaction.merchantReference === merchantReference) &&
    (status === null || transaction.status === status) &&
    (currency === null || transaction.currencyCode === currency) &&
    (fromMs === null || transaction.createdAtMs >= fromMs);
}

/** Answers list questions with statements that are prepared once on each connection. */
export function transactionLister({
  primary,
  replicas,
  rowLevelSecurity,
}: ListerOptions): TransactionLister['listTransactions'] {
  const tellSeen = replicas !== null;
  const readRow = (row: RowReader): ListRow => ({
    transaction: readTransaction(row),
    logPosition: tellSeen ? row.text() : undefined,
  });
  const statements = new Map<string, ReadStatement<ListRow>>();

  const statementOf = (shape: ListShape): ReadStatement<ListRow> => {
    const key = shapeName(shape);
    let found = statements.get(key);
    if (found === undefined) {
      found = readStatement(listSql(shape, rowLevelSecurity, tellSeen), readRow);
      statements.set(key, found);
    }
    return found;
  };

  return async (question, limit) => {
    const { shape, values } = scanOf(question);
    const list = (from: Connections) => from.read(statementOf(shape), [...values, limit]);
    const rows =
      replicas === null ? await list(primary) : await replicas.read(question.after?.logPosition, list);
    const transactions = rows.map(({ transaction }) => transaction).filter(isListed(question));
    assertOrder(transactions);
    const logPosition = rows[0]?.logPosition;
    return { transactions, ...(logPosition !== undefined && { logPosition }) };
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

/** The join of one caller with a page keeps the page's order, but SQL does not say so. */
function assertOrder(transactions: readonly Transaction[]): void {
  for (let index = 1; index < transactions.length; index++) {
    const before = transactions[index - 1] as Transaction;
    const { createdAtMs, reference } = transactions[index] as Transaction;
    const follows =
      createdAtMs < before.createdAtMs ||
      (createdAtMs === before.createdAtMs && reference < before.reference);
    if (!follows) throw new Error('PostgreSQL answered a list out of its order');
  }
}
