import { selectOfAccount, type Topology } from '../../../db/postgres/topology.ts';
import { TRANSACTION_COLUMNS } from '../../transaction.ts';
import { equalityColumns, isMerged, type ListShape, leadingColumns, ownIndexedColumn } from '../list.ts';

export interface ListSqlOptions {
  topology: Topology;
  selected?: string;
  /** Further columns, or subqueries. On one server, they are evaluated only for the returned rows. */
  beside?: readonly string[];
  statuses?: number;
}

/**
 * Reads at most `limit` entries of one index, backward. The last rows can be outside the list, for example
 * before its first day. The caller drops these rows.
 * Parameters: the values of the shape, the limit, the statuses.
 */
export function listSql(
  shape: ListShape,
  { topology, selected = TRANSACTION_COLUMNS, beside = [], statuses = 0 }: ListSqlOptions,
): string {
  let count = 1;
  const parameter = () => `$${++count}`;
  const bounds = equalityColumns(shape).map((column) => ({ column, value: parameter() }));
  const from = shape.from && bounds.length === 0 ? parameter() : undefined;
  const upper =
    shape.end === 'open' ? [] : shape.end === 'before' ? [parameter()] : [parameter(), parameter()];
  const limit = parameter();
  const columns = [selected, ...beside].join(', ');

  const leading: string[] = leadingColumns(shape);
  const isLeading = ({ column }: Bound) => leading.includes(column);
  const range: Range = {
    leading: bounds.filter(isLeading),
    isOwnIndexed: ownIndexedColumn(shape) !== undefined,
    compared: bounds.filter((bound) => !isLeading(bound)),
    columns: selected,
    from,
    upper,
    limit,
  };
  const ofStatuses = Array.from({ length: statuses }, parameter);
  return selectOfAccount(topology, columns, (account) => {
    const inner = topology === 'one server' ? selected : columns;
    if (isMerged(shape)) return mergedSql(inner, account, range, ofStatuses);
    return selectSql(inner, account, conditionsOf(range), orderOf(range), limit);
  });
}

function selectSql(
  columns: string,
  account: string,
  conditions: readonly string[],
  order: string,
  limit: string,
): string {
  return `SELECT ${columns}
FROM transactions
WHERE ${[`account = ${account}`, ...conditions].join(' AND ')}
ORDER BY ${order}
LIMIT ${limit}`;
}

interface Bound {
  column: string;
  value: string;
}

interface Range {
  leading: readonly Bound[];
  isOwnIndexed: boolean;
  compared: readonly Bound[];
  from: string | undefined;
  upper: readonly string[];
  limit: string;
  columns: string;
}

const row = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(', ')})`);

function conditionsOf({ leading, compared, from, upper, isOwnIndexed }: Range): string[] {
  const columns = leading.map(({ column }) => column);
  const values = leading.map(({ value }) => value);
  const conditions: string[] = [];
  // The condition of the column's partial index, so that the planner can use this index.
  if (isOwnIndexed) conditions.push(`${columns[0]} IS NOT NULL`);
  // A lower bound of several columns would be slow: PostgreSQL 15 to 17 continue to read past it.
  if (leading[0] !== undefined) conditions.push(`${columns[0]} >= ${values[0]}`);
  if (from !== undefined) conditions.push(`created_at_ms >= ${from}`);
  const ends = [...columns, ...['created_at_ms', 'reference'].slice(0, upper.length)];
  if (ends.length > 0)
    conditions.push(`${row(ends)} ${upper.length > 0 ? '<' : '<='} ${row([...values, ...upper])}`);
  return [...conditions, ...compared.map(({ column, value }) => `${column} = ${value}`)];
}

/** Names the leading columns too, so that the planner uses their index (decisions/postgresql.md). */
function orderOf({ leading }: Range): string {
  const columns = [...leading.map(({ column }) => column), 'created_at_ms', 'reference'];
  return columns.map((column) => `${column} DESC`).join(', ');
}

function mergedSql(columns: string, account: string, range: Range, statuses: readonly string[]): string {
  const select = (conditions: readonly string[], order: string, limit: string) =>
    selectSql(range.columns, account, conditions, order, limit);
  const ranges = statuses.map((status) =>
    select([`status = ${status}`, ...conditionsOf(range)], orderOf(range), range.limit),
  );
  const merged = `SELECT ${range.columns} FROM (
${unionAll(ranges)}
) AS ranges
ORDER BY ${orderOf(range)}
LIMIT ${range.limit}`;
  const rowsOfMissingStatuses = [undefined, ...statuses].map((after, index) => {
    const before = statuses[index];
    const conditions: string[] = [];
    if (after !== undefined) conditions.push(`status > ${after}`);
    if (before !== undefined) conditions.push(`status < ${before}`);
    return select(conditions, 'status DESC, created_at_ms DESC, reference DESC', '1');
  });
  return `SELECT ${columns} FROM (
${unionAll([merged, ...rowsOfMissingStatuses])}
) AS merged`;
}

const unionAll = (queries: readonly string[]) => queries.map((query) => `(${query})`).join('\nUNION ALL\n');
