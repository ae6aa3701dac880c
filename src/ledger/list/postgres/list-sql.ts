import { LOG_POSITION } from '../../../db/postgres/driver/index.ts';
import { selectOfAccount, type Topology } from '../../../db/postgres/topology.ts';
import { TRANSACTION_COLUMNS } from '../../transaction.ts';
import { equalityColumns, isMerged, type ListShape, leadingColumns, ownIndexedColumn } from '../list.ts';

export interface ListSqlOptions {
  topology: Topology;
  /** True if each row has the end of the account's archived days after the values of the transaction. */
  withArchive?: boolean;
  /** True if each row ends with the database's position in its log, read after the rows became visible. */
  withLogPosition?: boolean;
  /** True if each row has the numbers and the times of its changes after the values of the transaction. */
  withNumbers?: boolean;
  /** How many statuses a merged list is merged from. */
  statuses?: number;
}

const NUMBER_COLUMNS = 'pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms';

/**
 * The statement of a list query: it reads one range of one index backward, at most `limit` entries. The rows
 * of the list come first. Rows of neighbouring values can follow, and the caller drops them. Its parameters
 * are the values of the shape, the limit, and the statuses of a merged list in their order.
 *
 * Filters are the ends of a range of rows, so that only one index has the order of the statement
 * (decisions/postgresql.md). The lower end is the first column alone, because PostgreSQL 15 to 17 end a scan
 * at no other.
 */
export function listSql(
  shape: ListShape,
  {
    topology,
    withArchive = false,
    withLogPosition = false,
    withNumbers = false,
    statuses = 0,
  }: ListSqlOptions,
): string {
  let count = 1;
  const parameter = () => `$${++count}`;
  const bounds = equalityColumns(shape).map((column) => ({ column, value: parameter() }));
  const from = shape.from && bounds.length === 0 ? parameter() : undefined;
  const upper =
    shape.end === 'open' ? [] : shape.end === 'before' ? [parameter()] : [parameter(), parameter()];
  const limit = parameter();
  const selected = withNumbers ? `${TRANSACTION_COLUMNS}, ${NUMBER_COLUMNS}` : TRANSACTION_COLUMNS;
  const columns = [
    selected,
    ...(withArchive ? ['(SELECT before_ms FROM archives WHERE account = $1)'] : []),
    ...(withLogPosition ? [`(SELECT ${LOG_POSITION})`] : []),
  ].join(', ');

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
  /** The columns that lead the index, each with the one value that it has in the range. */
  leading: readonly Bound[];
  /** True if the index is that of one filter alone. */
  isOwnIndexed: boolean;
  /** Columns at the end of the index, compared with each entry of the range. */
  compared: readonly Bound[];
  from: string | undefined;
  /** The parameters of the newer end: none, a time, or a time and a reference. */
  upper: readonly string[];
  limit: string;
  /** The columns of each row in the table. */
  columns: string;
}

const row = (parts: readonly string[]) => (parts.length === 1 ? parts[0] : `(${parts.join(', ')})`);

function conditionsOf({ leading, compared, from, upper, isOwnIndexed }: Range): string[] {
  const columns = leading.map(({ column }) => column);
  const values = leading.map(({ value }) => value);
  const conditions: string[] = [];
  // An index of its own holds no NULL, which the planner cannot derive from a comparison of rows.
  if (isOwnIndexed) conditions.push(`${columns[0]} IS NOT NULL`);
  if (leading[0] !== undefined) conditions.push(`${columns[0]} >= ${values[0]}`);
  if (from !== undefined) conditions.push(`created_at_ms >= ${from}`);
  const ends = [...columns, ...['created_at_ms', 'reference'].slice(0, upper.length)];
  if (ends.length > 0)
    conditions.push(`${row(ends)} ${upper.length > 0 ? '<' : '<='} ${row([...values, ...upper])}`);
  return [...conditions, ...compared.map(({ column, value }) => `${column} = ${value}`)];
}

function orderOf({ leading }: Range): string {
  const columns = [...leading.map(({ column }) => column), 'created_at_ms', 'reference'];
  return columns.map((column) => `${column} DESC`).join(', ');
}

/**
 * A list by currency alone: the range of each status, merged in order, so that at most `limit` entries are
 * read and one more of each range. The statement also returns one row of any other status, if there is one:
 * then the list is incomplete.
 */
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
  const others = [undefined, ...statuses].map((after, index) => {
    const before = statuses[index];
    const conditions: string[] = [];
    if (after !== undefined) conditions.push(`status > ${after}`);
    if (before !== undefined) conditions.push(`status < ${before}`);
    return select(conditions, 'status DESC, created_at_ms DESC, reference DESC', '1');
  });
  return `SELECT ${columns} FROM (
${unionAll([merged, ...others])}
) AS merged`;
}

const unionAll = (queries: readonly string[]) => queries.map((query) => `(${query})`).join('\nUNION ALL\n');
