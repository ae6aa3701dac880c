import type { AccountTransaction } from '../../core/transaction.ts';
import { TRANSACTION_COLUMNS, type TransactionRow } from '../transaction-row.ts';
import { isHeldRow, isSlowStatement, type Statement, statement, type Value } from './driver/index.ts';

const COLUMNS = `account, ${TRANSACTION_COLUMNS}`;

/** The transactions of one group, as a table. */
const GIVEN = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::bigint[], $8::bigint[])
  AS given (${COLUMNS})`;

/** Evaluated before a row is looked at, and forgotten with the statement: how long it may wait for each row. */
const waitingAtMost = (parameter: string) =>
  `(SELECT set_config('lock_timeout', ${parameter}, true) OFFSET 0) AS patience`;

/** Every statement takes rows in this order, so that no two ever wait for each other. */
const IN_ORDER = 'ORDER BY given.account COLLATE "C", given.reference COLLATE "C"';

const RECORD_NEW = statement(`INSERT INTO transactions (${COLUMNS})
SELECT given.* FROM ${waitingAtMost('$9')} CROSS JOIN ${GIVEN} ${IN_ORDER}
ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`);

/**
 * An update takes rows in the order in which it finds them: they are locked before it. The status is compared as a
 * part of the row, because an index that begins with account and status would be read from end to end.
 */
const ADVANCE = statement(`WITH advanced AS MATERIALIZED (
  SELECT t.account, t.reference, given.status, given.paid_at_ms
  FROM ${waitingAtMost('$9')} CROSS JOIN ${GIVEN}
  JOIN transactions AS t ON t.account = given.account AND t.reference = given.reference
  WHERE given.status <> 'pending' AND (t.status, t.merchant_reference, t.amount_minor, t.currency_code, t.created_at_ms)
    IS NOT DISTINCT FROM ('pending', given.merchant_reference, given.amount_minor, given.currency_code, given.created_at_ms)
  ${IN_ORDER} FOR NO KEY UPDATE OF t
)
UPDATE transactions AS t SET status = advanced.status, paid_at_ms = advanced.paid_at_ms FROM advanced
WHERE t.account = advanced.account AND t.reference = advanced.reference
RETURNING t.account, t.reference`);

const READ = statement(`SELECT t.reference, t.merchant_reference, t.status, t.amount_minor, t.currency_code,
  t.paid_at_ms, t.created_at_ms, t.account
FROM transactions AS t JOIN unnest($1::text[], $2::text[]) AS given (account, reference)
  ON t.account = given.account AND t.reference = given.reference`);

const SAME_AND_PENDING = `(status, merchant_reference, amount_minor, currency_code, created_at_ms)
    IS NOT DISTINCT FROM ('pending', $3::text, $5::bigint, $6::text, $8::bigint)`;

/** The same for one transaction, whose account is plain to see: Citus finds the shard by it. */
const ONE = {
  record: statement(`INSERT INTO transactions (${COLUMNS})
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account, reference) DO NOTHING RETURNING account, reference`),
  advance: statement(`UPDATE transactions SET status = $4, paid_at_ms = $7
WHERE account = $1 AND reference = $2 AND $4 <> 'pending' AND ${SAME_AND_PENDING}
RETURNING account, reference`),
  read: statement(`SELECT reference, merchant_reference, status, amount_minor, currency_code,
  paid_at_ms, created_at_ms, account FROM transactions WHERE account = $1 AND reference = $2`),
};

const USE_KEY = statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference)
SELECT $1, $2, $3, $4 FROM ${waitingAtMost('$5')}
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

const USE_KEY_ON_CITUS =
  statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

export const READ_KEY = statement(
  'SELECT fingerprint, reference FROM idempotency_keys WHERE account = $1 AND key = $2',
);

export type Identity = [account: string, reference: string];

export const identityOf = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

const valuesOf = (row: AccountTransaction) => [
  row.account,
  row.reference,
  row.merchantReference,
  row.status,
  row.amountMinor,
  row.currencyCode,
  row.paidAtMs,
  row.createdAtMs,
];

/** The values of many facts, column by column. */
function columnsOf(rows: readonly AccountTransaction[]): unknown[][] {
  const values = rows.map(valuesOf);
  return Array.from({ length: 8 }, (_, column) => values.map((row) => row[column]));
}

export type Send = <Row extends Value[]>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>;

/** Where statements are sent, and how long one of them may wait for a row that another transaction holds. */
export interface Lane {
  send: Send;
  waitMs: number;
}

/** The statements of a recording. Each is a transaction of the database, and may be sent again. */
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

/** A worker does not know how long the coordinator's session may wait for a row: the session's time ends the statement. */
export const ON_CITUS: Statements = {
  maxRows: 1,
  isHeld: (error) => isHeldRow(error) || isSlowStatement(error),
  record: ({ send }, [row]) => send(ONE.record, valuesOf(row as AccountTransaction)),
  advance: ({ send }, [row]) => send(ONE.advance, valuesOf(row as AccountTransaction)),
  read: ({ send }, [row]) => send(ONE.read, valuesOf(row as AccountTransaction).slice(0, 2)),
  useKey: ({ send }, values) => send(USE_KEY_ON_CITUS, values),
};
