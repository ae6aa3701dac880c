import pg from 'pg';
import { ACCOUNT_TABLES, STORED_COLUMN_LIST } from '../../stored-rows.ts';
import type { RowRange } from '../verify-reader.ts';

/*
 * The order of each statement is that of one index, and the session cannot sort: so the rows come through this index.
 * $1 is the account, $2 the limit.
 */

export function rowsSql({ from, isInclusive, beforeMs }: RowRange): string {
  const conditions = ['account = $1'];
  if (from !== null) conditions.push(`(created_at_ms, reference) ${isInclusive ? '>=' : '>'} ($3, $4)`);
  if (beforeMs !== null) conditions.push(`created_at_ms < $${from === null ? 3 : 5}`);
  return `SELECT ${STORED_COLUMN_LIST} FROM transactions
WHERE ${conditions.join(' AND ')} ORDER BY created_at_ms, reference LIMIT $2`;
}

const largest = (sequence: string) =>
  `coalesce((SELECT max(${sequence}) FROM transactions WHERE account = $1 AND ${sequence} IS NOT NULL), 0)`;

export const READ_HEAD = `SELECT (SELECT head_sequence FROM accounts WHERE account = $1), (SELECT closed_at_sequence FROM accounts WHERE account = $1),
  greatest(${largest('pending_sequence')}, ${largest('final_sequence')})`;

/** Written with the account as a text: Citus has no plan with parameters of a statement that reads every shard. */
export function nextAccountSql(after: string, tables: ReadonlySet<string>): string {
  const firstOf = (table: string) =>
    `SELECT min(account) AS account FROM ${table} WHERE account > ${pg.escapeLiteral(after)}`;
  const all = ACCOUNT_TABLES.filter((table) => tables.has(table)).map(firstOf);
  return `SELECT min(account) FROM (${all.join('\nUNION ALL ')}) AS accounts`;
}

export const FIND_DAY =
  'SELECT day FROM daily_totals WHERE account = $1 AND day >= $2 ORDER BY day OFFSET $3 LIMIT 1';

/**
 * A part of the stored totals of the account $1, the days from $2 to before $3 and the months from $4 to before $5, with their number and the
 * head in each row, from one snapshot. Without a total, there is one row with the numbers alone.
 */
export const READ_TOTALS_TABLES = `SELECT numbers.totals_sequence, numbers.head_sequence, is_day, period, currency_code, status, count, amount
FROM (
SELECT coalesce((SELECT totals_progress.sequence FROM totals_progress WHERE totals_progress.account = $1), 0) AS totals_sequence,
  coalesce((SELECT accounts.head_sequence FROM accounts WHERE accounts.account = $1), 0) AS head_sequence OFFSET 0
) AS numbers
LEFT JOIN LATERAL (
SELECT 1 AS is_day, day AS period, currency_code, status, count, amount::text AS amount
FROM daily_totals WHERE account = $1 AND day >= $2 AND day < $3
UNION ALL
SELECT 0, month, currency_code, status, count, amount::text
FROM monthly_totals WHERE account = $1 AND month >= $4 AND month < $5
) AS totals ON true`;
