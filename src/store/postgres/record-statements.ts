import type { AccountTransaction } from '../../core/transaction.ts';
import {
  COLUMN_TYPES,
  RECORDED_COLUMNS,
  recordedValues,
  TRANSACTION_COLUMNS,
  type TransactionRow,
} from '../transaction-columns.ts';
import { isHeldRow, isSlowStatement, type Statement, statement, type Value } from './driver/index.ts';

const COLUMNS = RECORDED_COLUMNS.join(', ');

const TYPE_NAMES = { text: 'text', integer: 'bigint' } as const;
const TYPES = Object.values(COLUMN_TYPES).map((type) => TYPE_NAMES[type]);

/** The columns that a recording never changes, except account and reference, which identify the row. */
const FIXED = RECORDED_COLUMNS.filter(
  (column) => !['account', 'reference', 'status', 'paid_at_ms'].includes(column),
);
const fixed = (table: string) => FIXED.map((column) => `${table}.${column}`).join(', ');

/** The transactions of a group as a table: each parameter is the array of one column. */
const GIVEN = `unnest(${TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
  AS given (${COLUMNS})`;

/** The parameter after the columns. */
const LOCK_TIMEOUT = `$${TYPES.length + 1}`;

/** Limits how long the statement waits for each row. The limit is set before a row is read, and ends with the statement. */
const lockTimeout = (parameter: string) =>
  `(SELECT set_config('lock_timeout', ${parameter}, true) OFFSET 0) AS lock_timeout`;

/** Every statement locks rows in this order, so that two of them never wait for each other. */
const IN_ORDER = 'ORDER BY given.account COLLATE "C", given.reference COLLATE "C"';

const RECORD_NEW = statement(`INSERT INTO transactions (${COLUMNS})
SELECT given.* FROM ${lockTimeout(LOCK_TIMEOUT)} CROSS JOIN ${GIVEN} ${IN_ORDER}
ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`);

/**
 * Locks the rows first, because an UPDATE alone locks them in the order in which it finds them. The status is compared as
 * part of a row value: as a separate condition, it could make the planner read a whole index of account and status.
 */
const ADVANCE = statement(`WITH advanced AS MATERIALIZED (
  SELECT t.account, t.reference, given.status, given.paid_at_ms
  FROM ${lockTimeout(LOCK_TIMEOUT)} CROSS JOIN ${GIVEN}
  JOIN transactions AS t ON t.account = given.account AND t.reference = given.reference
  WHERE given.status <> 'pending' AND (t.status, ${fixed('t')}) IS NOT DISTINCT FROM ('pending', ${fixed('given')})
  ${IN_ORDER} FOR NO KEY UPDATE OF t
)
UPDATE transactions AS t SET status = advanced.status, paid_at_ms = advanced.paid_at_ms FROM advanced
WHERE t.account = advanced.account AND t.reference = advanced.reference
RETURNING t.account, t.reference`);

const READ = statement(`SELECT ${TRANSACTION_COLUMNS}, account
FROM transactions JOIN unnest($1::text[], $2::text[]) AS given (account, reference) USING (account, reference)`);

const parameterOf = (column: string) => `$${RECORDED_COLUMNS.indexOf(column) + 1}`;
const typedParameterOf = (column: string) =>
  `${parameterOf(column)}::${TYPES[RECORDED_COLUMNS.indexOf(column)]}`;

/** The same statements for one transaction. The account is a plain parameter, by which Citus finds the shard. */
const ONE = {
  record: statement(`INSERT INTO transactions (${COLUMNS})
VALUES (${RECORDED_COLUMNS.map(parameterOf).join(', ')}) ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`),
  advance:
    statement(`UPDATE transactions SET status = ${parameterOf('status')}, paid_at_ms = ${parameterOf('paid_at_ms')}
WHERE account = $1 AND reference = $2 AND ${parameterOf('status')} <> 'pending'
  AND (status, ${FIXED.join(', ')}) IS NOT DISTINCT FROM ('pending', ${FIXED.map(typedParameterOf).join(', ')})
RETURNING account, reference`),
  read: statement(
    `SELECT ${TRANSACTION_COLUMNS}, account FROM transactions WHERE account = $1 AND reference = $2`,
  ),
};

const USE_KEY = statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference)
SELECT $1, $2, $3, $4 FROM ${lockTimeout('$5')}
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

const USE_KEY_ON_CITUS =
  statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

export const READ_KEY = statement(
  'SELECT fingerprint, reference FROM idempotency_keys WHERE account = $1 AND key = $2',
);

export type Identity = [account: string, reference: string];

export const identityOf = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

/** The values of many transactions, one array for each column. */
function columnsOf(rows: readonly AccountTransaction[]): unknown[][] {
  const values = rows.map(recordedValues);
  return RECORDED_COLUMNS.map((_, column) => values.map((row) => row[column]));
}

export type Send = <Row extends Value[]>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/** How statements are sent, and how long one waits for a row that another transaction of the database holds. */
export interface Lane {
  send: Send;
  waitMs: number;
}

/** The statements of recordings. Each is one transaction of the database, and can be repeated. */
export interface Statements {
  /** The most rows of one statement. */
  readonly maxRows: number;
  /** Whether a statement failed because another transaction of the database holds a row. */
  isHeld(error: unknown): boolean;
  record(lane: Lane, rows: readonly AccountTransaction[]): Promise<Identity[]>;
  advance(lane: Lane, rows: readonly AccountTransaction[]): Promise<Identity[]>;
  read(lane: Lane, rows: readonly AccountTransaction[]): Promise<RecordedRow[]>;
  useKey(lane: Lane, values: readonly string[]): Promise<[string][]>;
}

export type RecordedRow = [...TransactionRow, account: string];

export const ON_POSTGRES: Statements = {
  maxRows: Number.POSITIVE_INFINITY,
  isHeld: isHeldRow,
  record: ({ send, waitMs }, rows) => send(RECORD_NEW, [...columnsOf(rows), waitMs]),
  advance: ({ send, waitMs }, rows) => send(ADVANCE, [...columnsOf(rows), waitMs]),
  read: ({ send }, rows) => send(READ, columnsOf(rows).slice(0, 2)),
  useKey: ({ send, waitMs }, values) => send(USE_KEY, [...values, waitMs]),
};

/** A worker does not know the lock timeout of the coordinator's session: the statement timeout ends the wait instead. */
export const ON_CITUS: Statements = {
  maxRows: 1,
  isHeld: (error) => isHeldRow(error) || isSlowStatement(error),
  record: ({ send }, [row]) => send(ONE.record, recordedValues(row as AccountTransaction)),
  advance: ({ send }, [row]) => send(ONE.advance, recordedValues(row as AccountTransaction)),
  read: ({ send }, [row]) => send(ONE.read, recordedValues(row as AccountTransaction).slice(0, 2)),
  useKey: ({ send }, values) => send(USE_KEY_ON_CITUS, values),
};
