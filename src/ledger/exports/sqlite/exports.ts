import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { FIRST_TIMESTAMP_MS, LAST_TIMESTAMP_MS } from '../../../values/calendar.ts';
import { statusUpToSql } from '../../changes/numbered-changes.ts';
import { createdAtRange, type ListFilter } from '../../list/list-filter.ts';
import type { ListQuery, Position } from '../../list/list-query.ts';
import { LISTED_COLUMNS } from '../../list/sqlite/list-sql.ts';
import { rowLister } from '../../list/sqlite/list-transactions.ts';
import { AMOUNT_HIGH_UNIT } from '../../totals/sqlite/totals.ts';
import type { Total } from '../../totals/totals.ts';
import { type TransactionRow, transactionOf } from '../../transaction-columns.ts';
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

/** Transactions of a step: a fraction of a millisecond, in which no request is answered. */
const STEP_SIZE = 200;

/**
 * Sums the transactions with a merchantReference as of a number, some hundred in each step. A change with a number never changes, so
 * the steps need no common snapshot.
 */
export function listedSummer(
  db: DatabaseSync,
): (account: string, filter: ListFilter, asOf: number, after: Position | null) => ListedSum {
  const findEnd = db.prepare(
    `SELECT created_at_ms, reference FROM transactions INDEXED BY transactions_by_merchant_reference_time
     WHERE account = ? AND merchant_reference = ? AND (created_at_ms, reference) > (?, ?) AND created_at_ms < ?
     ORDER BY created_at_ms, reference LIMIT 1 OFFSET ${STEP_SIZE - 1}`,
  );
  findEnd.setReturnArrays(true);
  const sum = stepSummer(db);

  return (account, filter, asOf, after) => {
    const range = createdAtRange(filter);
    const beforeMs = range.beforeMs ?? LAST_TIMESTAMP_MS + 1;
    // No reference is empty: the position is before all transactions of its time.
    const from = after ?? { createdAtMs: range.fromMs ?? FIRST_TIMESTAMP_MS, reference: '' };
    const values = [account, filter.merchantReference, from.createdAtMs, from.reference];
    const found = findEnd.get(...values, beforeMs) as unknown as [number, string] | undefined;
    const next = found === undefined ? null : { createdAtMs: found[0], reference: found[1] };
    const to = next ?? { createdAtMs: beforeMs, reference: '' };
    return { totals: sum([...values, to.createdAtMs, to.reference, asOf], filter), next };
  };
}

type SumRow = [currencyCode: string, status: string, count: bigint, high: bigint, low: bigint];

/** Amounts are summed in two parts, as the roll-up stores them, so that no sum exceeds 64 bits. */
function stepSummer(db: DatabaseSync): (range: (string | number | null)[], filter: ListFilter) => Total[] {
  const statements = new Map<string, StatementSync>();
  return (range, { currency, status }) => {
    const conditions = [
      ...(currency === null ? [] : ['currency_code = ?']),
      ...(status === null ? [] : ['status_then = ?']),
    ];
    const key = conditions.join(' ');
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(sumSql(conditions));
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      statements.set(key, statement);
    }
    const equal = [currency, status].filter((value) => value !== null);
    const rows = statement.all(...range, ...equal) as unknown as SumRow[];
    return rows.map(([currencyCode, statusThen, count, high, low]) => ({
      day: null,
      currencyCode,
      status: statusThen,
      count: Number(count),
      amountMinor: high * AMOUNT_HIGH_UNIT + low,
    }));
  };
}

function sumSql(conditions: readonly string[]): string {
  return `SELECT currency_code, status_then, count(*), sum(amount_minor / ${AMOUNT_HIGH_UNIT}), sum(amount_minor % ${AMOUNT_HIGH_UNIT})
FROM (
  SELECT currency_code, amount_minor, ${statusUpToSql('?7')} AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND merchant_reference = ?2
    AND (created_at_ms, reference) > (?3, ?4) AND (created_at_ms, reference) <= (?5, ?6)
    AND (pending_sequence <= ?7 OR final_sequence <= ?7)
)
${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
GROUP BY currency_code, status_then`;
}
