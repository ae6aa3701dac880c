import { TRANSACTION_COLUMNS } from '../../transaction.ts';
import { equalityColumns, isMerged, type ListShape, leadingColumns, ownIndexedColumn } from '../list.ts';

export const LISTED_COLUMNS: readonly string[] = TRANSACTION_COLUMNS.split(', ');

export const ARCHIVED_BEFORE_SQL = '(SELECT before_ms FROM archives WHERE account = ?1)';

/**
 * The statement names the index, because statistics or a new version of SQLite could change the planner's
 * choice. The limit is a constant, because with a parameter SQLite would plan the statement on each call.
 */
export function listSql(
  shape: ListShape,
  limit: number,
  statuses = 0,
  columns: readonly string[] = LISTED_COLUMNS,
): string {
  const filters = equalityColumns(shape);
  let count = 0;
  const parameter = () => `?${++count}`;
  const conditions = ['account', ...filters].map((column) => `${column} = ${parameter()}`);
  if (shape.from) conditions.push(`created_at_ms >= ${parameter()}`);
  if (shape.end === 'before') conditions.push(`created_at_ms < ${parameter()}`);
  if (shape.end === 'after') conditions.push(`(created_at_ms, reference) < (${parameter()}, ${parameter()})`);

  const range = (index: string, ...more: string[]) => `SELECT ${columns.join(', ')}
FROM transactions ${index}
WHERE ${[...conditions, ...more].join(' AND ')}`;
  if (leadingColumns(shape).length < filters.length && !isMerged(shape))
    return comparedSql(shape, conditions, limit, columns);
  const ranges = isMerged(shape)
    ? Array.from({ length: statuses }, () => range(indexOf(shape), `status = ${parameter()}`))
    : [range(indexOf(shape))];
  return `${ranges.join('\nUNION ALL\n')}
ORDER BY created_at_ms DESC, reference DESC
LIMIT ${limit}`;
}

/** The subquery reads only the index. The table is read only for rows of the result. */
function comparedSql(
  shape: ListShape,
  conditions: readonly string[],
  limit: number,
  columns: readonly string[],
): string {
  return `SELECT ${columns.map((column) => (column.startsWith('(') ? column : `transactions.${column}`)).join(', ')}
FROM (
  SELECT created_at_ms, reference FROM transactions ${indexOf(shape)}
  WHERE ${conditions.join(' AND ')}
  ORDER BY created_at_ms DESC, reference DESC
  LIMIT ${limit}
) AS found CROSS JOIN transactions NOT INDEXED
WHERE transactions.account = ?1 AND transactions.created_at_ms = found.created_at_ms
  AND transactions.reference = found.reference
ORDER BY found.created_at_ms DESC, found.reference DESC`;
}

const CLUSTERED_TABLE = 'NOT INDEXED';

const INDEXES: Readonly<Record<string, string>> = {
  '': CLUSTERED_TABLE,
  status: 'INDEXED BY transactions_by_status',
  'status, currency_code': 'INDEXED BY transactions_by_status_currency',
};

function indexOf(shape: ListShape): string {
  const own = ownIndexedColumn(shape);
  if (own !== undefined) return `INDEXED BY transactions_by_${own}_time`;
  return INDEXES[isMerged(shape) ? 'status, currency_code' : leadingColumns(shape).join(', ')] as string;
}
