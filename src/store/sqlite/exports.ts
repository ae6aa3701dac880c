import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Export, NumberedTransaction } from '../../core/exports/export.ts';
import { createdAtRange, type ListFilter } from '../../core/list/list-filter.ts';
import type { ListQuery } from '../../core/list/list-query.ts';
import { PENDING } from '../../core/status.ts';
import type { Total } from '../../core/totals/totals.ts';
import { exportOfText, textOfExport } from '../export-text.ts';
import { type TransactionRow, transactionOf } from '../transaction-columns.ts';
import { LISTED_COLUMNS } from './list-sql.ts';
import { rowLister } from './list-transactions.ts';

type NumberedRow = [...TransactionRow, pendingSequence: number | null, finalSequence: number | null];

const NUMBERED_COLUMNS = [...LISTED_COLUMNS, 'pending_sequence', 'final_sequence'];
const PENDING_SEQUENCE = NUMBERED_COLUMNS.indexOf('pending_sequence') as 7;
const FINAL_SEQUENCE = NUMBERED_COLUMNS.indexOf('final_sequence') as 8;

/** Runs list queries whose results have the numbers of each transaction. */
export function numberedLister(db: DatabaseSync): (query: ListQuery, limit: number) => NumberedTransaction[] {
  return rowLister<NumberedRow, NumberedTransaction>(db, NUMBERED_COLUMNS, (row) => ({
    transaction: transactionOf(row as unknown as TransactionRow),
    pendingSequence: row[PENDING_SEQUENCE],
    finalSequence: row[FINAL_SEQUENCE],
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
  createExport(created: Export, expiredMs: number): void;
  replaceExport(replaced: Export, attempt: number): boolean;
}

export function exportWriter(db: DatabaseSync): ExportWriter {
  const removeExpired = db.prepare('DELETE FROM exports WHERE started_at_ms < ?');
  const insert = db.prepare(
    'INSERT INTO exports (account, id, started_at_ms, attempt, record) VALUES (?, ?, ?, ?, ?)',
  );
  const replace = db.prepare(
    'UPDATE exports SET attempt = ?, record = ? WHERE account = ? AND id = ? AND attempt = ?',
  );
  return {
    createExport: (created, expiredMs) => {
      removeExpired.run(expiredMs);
      const { account, id, startedAtMs, attempt } = created;
      insert.run(account, id, startedAtMs, attempt, textOfExport(created));
    },
    replaceExport: (replaced, attempt) => {
      const { account, id } = replaced;
      return replace.run(replaced.attempt, textOfExport(replaced), account, id, attempt).changes === 1;
    },
  };
}

/**
 * Sums the transactions with a merchantReference as of a number. The amounts are summed in two parts of 10^9, so that no sum
 * exceeds 64 bits.
 */
export function listedSummer(
  db: DatabaseSync,
): (account: string, filter: ListFilter, asOf: number) => Total[] {
  const statements = new Map<string, StatementSync>();
  return (account, filter, asOf) => {
    const { conditions, values } = summedRange(filter);
    const key = conditions.join(' ');
    let statement = statements.get(key);
    if (statement === undefined) {
      statement = db.prepare(sumSql(conditions));
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      statements.set(key, statement);
    }
    const rows = statement.all(account, asOf, ...values) as unknown as SumRow[];
    return rows.map(([currencyCode, status, count, high, low]) => ({
      day: null,
      currencyCode,
      status,
      count: Number(count),
      amountMinor: high * AMOUNT_PART + low,
    }));
  };
}

type SumRow = [currencyCode: string, status: string, count: bigint, high: bigint, low: bigint];

const AMOUNT_PART = 1_000_000_000n;

function summedRange(filter: ListFilter): { conditions: string[]; values: (string | number)[] } {
  const { fromMs, beforeMs } = createdAtRange(filter);
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const add = (condition: string, value: string | number | null) => {
    if (value === null) return;
    conditions.push(`${condition} ?`);
    values.push(value);
  };
  add('merchant_reference =', filter.merchantReference);
  add('created_at_ms >=', fromMs);
  add('created_at_ms <', beforeMs);
  add('currency_code =', filter.currency);
  add('status_then =', filter.status);
  return { conditions, values };
}

function sumSql(conditions: readonly string[]): string {
  return `SELECT currency_code, status_then, count(*), sum(amount_minor / ${AMOUNT_PART}), sum(amount_minor % ${AMOUNT_PART})
FROM (
  SELECT *, iif(final_sequence <= ?2, status, '${PENDING}') AS status_then
  FROM transactions INDEXED BY transactions_by_merchant_reference_time
  WHERE account = ?1 AND (pending_sequence <= ?2 OR final_sequence <= ?2)
)
WHERE ${conditions.join(' AND ')}
GROUP BY currency_code, status_then`;
}
