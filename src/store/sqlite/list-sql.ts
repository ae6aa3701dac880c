import { equalityColumns, isMerged, type ListShape, leadingColumns } from '../list-shape.ts';
import { TRANSACTION_COLUMNS } from '../transaction-columns.ts';

/**
 * The statement of a list query: it reads one range of one index backward. A list by currency alone is merged from a
 * range for each of `statuses` statuses, which follow the values of the shape.
 *
 * It names the index, because statistics or a later version of SQLite could make the planner choose another. The limit is
 * a constant: if it were a parameter, SQLite would plan the statement again each time, at twice the cost.
 */
export function listSql(shape: ListShape, limit: number, statuses = 0): string {
  const filters = equalityColumns(shape);
  let count = 0;
  const parameter = () => `?${++count}`;
  const conditions = ['account', ...filters].map((column) => `${column} = ${parameter()}`);
  if (shape.from) conditions.push(`created_at_ms >= ${parameter()}`);
  if (shape.end === 'before') conditions.push(`created_at_ms < ${parameter()}`);
  if (shape.end === 'after') conditions.push(`(created_at_ms, reference) < (${parameter()}, ${parameter()})`);

  const range = (index: string, ...more: string[]) => `SELECT ${TRANSACTION_COLUMNS}
FROM transactions ${index}
WHERE ${[...conditions, ...more].join(' AND ')}`;
  const ranges = isMerged(shape)
    ? Array.from({ length: statuses }, () =>
        range(indexedBy(['status', 'currency_code']), `status = ${parameter()}`),
      )
    : [range(indexedBy(leadingColumns(shape)))];
  return `${ranges.join('\nUNION ALL\n')}
ORDER BY created_at_ms DESC, reference DESC
LIMIT ${limit}`;
}

const CLUSTERED_TABLE = 'NOT INDEXED';

/** An index is named after the columns that follow the account in it. */
const INDEXES: Readonly<Record<string, string>> = {
  '': CLUSTERED_TABLE,
  status: 'INDEXED BY transactions_by_status',
  'status, currency_code': 'INDEXED BY transactions_by_status_currency',
  merchant_reference: 'INDEXED BY transactions_by_merchant_reference_time',
};

function indexedBy(columns: readonly string[]): string {
  return INDEXES[columns.join(', ')] as string;
}

/** The statuses of an account's transactions, in their order: the next one after a status. One probe of an index each. */
export const NEXT_STATUS_SQL = `SELECT status FROM transactions INDEXED BY transactions_by_status
WHERE account = ? AND status > ? ORDER BY status LIMIT 1`;
