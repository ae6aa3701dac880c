import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { statusUpToSql } from '../../changes/numbered-changes.ts';
import {
  createdAtRange,
  EQUALITY_LIST,
  type EqualityFilter,
  type ListFilter,
} from '../../list/list-filter.ts';
import type { ListQuery, Position } from '../../list/list-query.ts';
import { LISTED_COLUMNS } from '../../list/sqlite/list-sql.ts';
import { rowLister } from '../../list/sqlite/list-transactions.ts';
import { AMOUNT_HIGH_UNIT } from '../../totals/sqlite/totals.ts';
import type { Total } from '../../totals/totals.ts';
import { columnOf, type TransactionRow, transactionOf } from '../../transaction-columns.ts';
import type { Export, ListedSum, NumberedTransaction, StoredExportLimits } from '../export.ts';
import { exportOfText, textOfExport } from '../export-text.ts';

const NUMBERED_COLUMNS = [...LISTED_COLUMNS, 'pending_sequence', 'final_sequence'];

/** Runs list queries whose results have the numbers of each transaction. */
export function numberedLister(db: DatabaseSync): (query: ListQuery, limit: number) => NumberedTransaction[] {
  return rowLister<TransactionRow, NumberedTransaction>(db, NUMBERED_COLUMNS, (row) => ({
    transaction: transactionOf(row),
    pendingSequence: row.at(-2) as number | null,
    finalSequence: row.at(-1) as number | null,
  }));
}

/** The reads of exports by their ids. */
export function exportFinder(db: DatabaseSync): (account: string, id: string) => Export | undefined {
  const find = db.prepare('SELECT record FROM exports WHERE account = ? AND id = ?');
  return (account, id) => {
    const row = find.get(account, id) as { record: string } | undefined;
    return row === undefined ? undefined : exportOfText(row.record);
  };
}

/** The writes of ExportStore, each inside the caller's transaction of the database. */
export interface ExportWriter {
  createExport(created: Export, limits: StoredExportLimits): boolean;
  removeExpiredExports(expiredMs: number): void;
  replaceExport(replaced: Export, attempt: number): boolean;
}

export function exportWriter(db: DatabaseSync): ExportWriter {
  const removeExpired = db.prepare('DELETE FROM exports WHERE started_at_ms < ?');
  const removeOwn = db.prepare('DELETE FROM exports WHERE account = ? AND started_at_ms < ?');
  const countOfAccount = db.prepare('SELECT count(*) AS count FROM exports WHERE account = ?');
  const insert = db.prepare(
    'INSERT INTO exports (account, id, started_at_ms, attempt, record) VALUES (?, ?, ?, ?, ?)',
  );
  const replace = db.prepare(
    'UPDATE exports SET attempt = ?, record = ? WHERE account = ? AND id = ? AND attempt = ?',
  );
  return {
    createExport: (created, { expiredMs, perAccount }) => {
      const { account, id, startedAtMs, attempt } = created;
      removeOwn.run(account, expiredMs);
      if (Number(countOfAccount.get(account)?.['count']) >= perAccount) return false;
      insert.run(account, id, startedAtMs, attempt, textOfExport(created));
      return true;
    },
    removeExpiredExports: (expiredMs) => {
      removeExpired.run(expiredMs);
    },
    replaceExport: (replaced, attempt) => {
      const { account, id } = replaced;
      return replace.run(replaced.attempt, textOfExport(replaced), account, id, attempt).changes === 1;
    },
  };
}

interface SummedFilter {
  name: EqualityFilter;
  column: string;
  ownIndex: string | null;
}

const FILTERS: readonly SummedFilter[] = EQUALITY_LIST.map(({ name, field, ownIndex }) => ({
  name,
  column: columnOf(field),
  ownIndex,
}));

/** The filter by text whose index a sum reads, and the others that are sent. */
function summedFilters(filter: ListFilter): { leading: SummedFilter; others: SummedFilter[] } {
  const [leading, ...others] = FILTERS.filter(({ name }) => filter[name] !== null);
  if (leading === undefined || leading.ownIndex === null)
    throw new Error('transactions are summed by a text, which the totals do not have');
  return { leading, others };
}

/** Transactions of a step: a fraction of a millisecond, in which no request is answered. */
const STEP_SIZE = 200;

/**
 * Sums the transactions that a filter by text matches, as of a number, some hundred in each step. A change with a number never changes, so
 * the steps need no common snapshot.
 */
export function listedSummer(
  db: DatabaseSync,
): (account: string, filter: ListFilter, asOf: number, after: Position | null) => ListedSum {
  const statements = new Map<string, StatementSync>();
  const statementOf = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      statement.setReturnArrays(true);
      statements.set(sql, statement);
    }
    return statement;
  };

  return (account, filter, asOf, after) => {
    const { leading, others } = summedFilters(filter);
    const range = createdAtRange(filter);
    const beforeMs = range.beforeMs ?? LAST_TIMESTAMP_MS + 1;
    // No reference is empty: the position is before all transactions of its time.
    const from = after ?? { createdAtMs: range.fromMs ?? FIRST_TIMESTAMP_MS, reference: '' };
    const values = [account, filter[leading.name], from.createdAtMs, from.reference];
    const end = statementOf(endSql(leading)).get(...values, beforeMs) as unknown as
      | [number, string]
      | undefined;
    const next = end === undefined ? null : { createdAtMs: end[0], reference: end[1] };
    const to = next ?? { createdAtMs: beforeMs, reference: '' };
    const sum = statementOf(sumSql(leading, others));
    sum.setReadBigInts(true);
    const equal = others.map(({ name }) => filter[name]);
    const rows = sum.all(...values, to.createdAtMs, to.reference, asOf, ...equal) as unknown as SumRow[];
    return { totals: rows.map(totalOf), next };
  };
}

const endSql = ({
  column,
  ownIndex,
}: SummedFilter) => `SELECT created_at_ms, reference FROM transactions INDEXED BY ${ownIndex}
WHERE account = ? AND ${column} = ? AND (created_at_ms, reference) > (?, ?) AND created_at_ms < ?
ORDER BY created_at_ms, reference LIMIT 1 OFFSET ${STEP_SIZE - 1}`;

type SumRow = [currencyCode: string, status: string, count: bigint, high: bigint, low: bigint];

const totalOf = ([currencyCode, status, count, high, low]: SumRow): Total => ({
  day: null,
  currencyCode,
  status,
  count: Number(count),
  amountMinor: high * AMOUNT_HIGH_UNIT + low,
});

/** Amounts are summed in two parts, as the roll-up stores them, so that no sum exceeds 64 bits. The status is that of the number. */
function sumSql({ column, ownIndex }: SummedFilter, others: readonly SummedFilter[]): string {
  const conditions = others.map((other, at) => ({ ...other, parameter: `?${at + 8}` }));
  const status = conditions.find(({ name }) => name === 'status');
  const equal = conditions.filter((condition) => condition !== status);
  return `SELECT currency_code, status_then, count(*), sum(amount_minor / ${AMOUNT_HIGH_UNIT}), sum(amount_minor % ${AMOUNT_HIGH_UNIT})
FROM (
  SELECT currency_code, amount_minor, ${statusUpToSql('?7')} AS status_then
  FROM transactions INDEXED BY ${ownIndex}
  WHERE account = ?1 AND ${column} = ?2
    AND (created_at_ms, reference) > (?3, ?4) AND (created_at_ms, reference) <= (?5, ?6)
    AND (pending_sequence <= ?7 OR final_sequence <= ?7)${equal.map((one) => ` AND ${one.column} = ${one.parameter}`).join('')}
)
${status === undefined ? '' : `WHERE status_then = ${status.parameter}`}
GROUP BY currency_code, status_then`;
}
