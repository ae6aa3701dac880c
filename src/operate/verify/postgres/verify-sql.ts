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
 * A part of the stored totals of the account $1, the days from $2 to before $3, with the largest number of its transactions in each row, from one
 * snapshot. Without a total, there is one row with the number alone.
 */
export const READ_STORED_TOTALS = `SELECT numbers.largest, day, currency_code, status, count, amount::text
FROM (SELECT greatest(${largest('pending_sequence')}, ${largest('final_sequence')}) AS largest OFFSET 0) AS numbers
LEFT JOIN LATERAL (
SELECT day, currency_code, status, count, amount FROM daily_totals WHERE account = $1 AND day >= $2 AND day < $3 AND (count <> 0 OR amount <> 0)
) AS totals ON true`;
