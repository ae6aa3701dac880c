import {
  arrayText,
  isLockTimeout,
  type RowReader,
  readStatement,
  type Statement,
  statement,
  type TxRows,
  type TxStep,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { markMovedSql } from '../../changes/postgres/watched-accounts.ts';
import { readTransactionOrNulls } from '../../read-transaction-row.ts';
import { addSumsSql, DAY } from '../../totals/postgres/add-to-totals.ts';
import type { AccountTransaction, Transaction } from '../../transaction.ts';
import {
  COLUMN_TYPES,
  columnsOf,
  FIXED_COLUMNS,
  RECORDED_COLUMNS,
  recordedValues,
} from '../../transaction-columns.ts';
import type { CommitStamp } from '../commit-stamp.ts';
import type { MadeChange } from '../transaction-recorder.ts';

const COLUMNS = RECORDED_COLUMNS.join(', ');

/** Whether the details of a recording are those of the pending transaction `t`, or more: as `detailDifferences`. */
export const hasDetailsOf = (given: string) =>
  `(t.details_removed_at_ms IS NOT NULL OR t.details IS NULL OR (${given}::jsonb @> t.details::jsonb) IS TRUE)`;

/** The final details of a transaction `t` that becomes final: as `addedDetails`. */
export const addedDetailsSql = (given: string) =>
  `CASE WHEN t.details_removed_at_ms IS NULL THEN nullif(${given}, t.details) END`;

/** What a transaction that is recorded already has in these columns, whatever was given. */
const OF_RECORDED: Readonly<Record<string, string>> = {
  final_details: `CASE WHEN t.reference IS NOT NULL THEN ${addedDetailsSql('given.details')} END`,
  details_removed_at_ms:
    'CASE WHEN t.reference IS NULL THEN given.details_removed_at_ms ELSE t.details_removed_at_ms END',
};

export const TYPES = COLUMN_TYPES.map((type) => (type === 'integer' ? 'bigint' : 'text'));

/** The transactions of a group as a table: each parameter is the array of one column. */
const GIVEN = `unnest(${TYPES.map((type, index) => `$${index + 1}::${type}[]`).join(', ')})
    WITH ORDINALITY AS given (${COLUMNS}, ordinal)`;

/** The parameters after the columns. */
const LOCK_TIMEOUT = `$${TYPES.length + 1}`;
const RECORDED_AT_MS = `$${TYPES.length + 2}`;
const NONCE = `$${TYPES.length + 3}`;

/**
 * Limits how long each lock is waited for. The limit is set before a row is read, and ends with the transaction of the
 * database.
 */
const lockTimeout = (parameter: string) =>
  `(SELECT set_config('lock_timeout', ${parameter}, true) OFFSET 0) AS lock_timeout`;

const largest = (sequence: string) =>
  `(SELECT max(${sequence}) FROM transactions AS t WHERE t.account = given.account AND ${sequence} IS NOT NULL)`;

/** Makes the heads of accounts that have none. The numbers of an account whose head was lost, for example in a restore, go on. */
const MAKE_ACCOUNTS = readStatement(
  `INSERT INTO accounts (account, head_sequence)
SELECT given.account, greatest(0, ${largest('pending_sequence')}, ${largest('final_sequence')}) FROM ${lockTimeout('$2')} CROSS JOIN unnest($1::text[]) AS given (account)
ORDER BY given.account COLLATE "C" ON CONFLICT (account) DO NOTHING`,
  () => undefined,
);

/** Whether this transaction of the database has locked all heads that it needs. */
const HAS_LOCKED_ALL = 'transactions.has_locked_all';

/**
 * Locks the heads of accounts in one order, so that two recordings never wait for each other, and returns how many there are.
 * A head that another transaction makes meanwhile is not locked, although the next statement sees it.
 */
const LOCK_HEADS = readStatement(
  `WITH locked AS MATERIALIZED (
  SELECT accounts.account FROM ${lockTimeout('$2')} CROSS JOIN accounts
  WHERE accounts.account = ANY($1::text[]) ORDER BY accounts.account FOR NO KEY UPDATE OF accounts
)
SELECT count, set_config('${HAS_LOCKED_ALL}', (count = cardinality($1))::text, true)
FROM (SELECT count(*) FROM locked) AS all_locked`,
  (row) => {
    const count = row.integer();
    row.text();
    return count;
  },
);

/**
 * The head of the account of each row, and the end of its archived days unless it is being erased. Each is looked up, whatever the statistics say: as a plain join, a plan that was made for a few accounts
 * would read the heads of all.
 */
const lateralHead = (rows: string) =>
  `(SELECT account, head_sequence, (SELECT before_ms FROM archives WHERE archives.account = accounts.account AND accounts.closed_at_sequence IS NULL) AS archived_before_ms
    FROM accounts WHERE accounts.account = ${rows}.account OFFSET 0) AS head`;

/** Stores the last number of each account. As an array of one, its name can only be looked up, for the same reason. */
const STORE_HEADS = `
  UPDATE accounts SET head_sequence = last.sequence
  FROM (SELECT account, max(sequence) AS sequence FROM numbered GROUP BY account) AS last
  WHERE accounts.account = ANY(ARRAY[last.account])`;

/** Adds what the changes of a group add to the stored totals: a final status takes the transaction from the pending ones, if it was one of them. */
const ADD_TO_TOTALS = addSumsSql(`
  SELECT account, ${DAY}, currency_code, status, sum(count), sum(amount) FROM (
    SELECT account, created_at_ms, currency_code, status, 1 AS count, amount_minor AS amount FROM numbered
    UNION ALL SELECT account, created_at_ms, currency_code, 'pending', -1, -amount_minor FROM numbered WHERE NOT is_new
  ) AS changes GROUP BY 1, 2, 3, 4`);

/**
 * A recording marks only accounts whose heads it has locked, so two never wait for each other. Nor does one with a request that changes endpoints,
 * which marks its one account as its last statement, and waits for nothing after it.
 */
const MARK_MOVED = markMovedSql('SELECT DISTINCT account FROM numbered');

/** The result of a transaction whose place in its group is `ordinal`, from 1. */
type RecordedRow = { ordinal: number; result: Numbered | NotRecorded };

type Numbered = { outcome: 'recorded' | 'changed'; sequence: number; detailsRemovedAtMs?: number | null };

/** The row is to be compared with the existing one, or it is a new one that was created on an archived day. */
type NotRecorded = { existing: Transaction } | { archivedBeforeMs: number };

export type RecordedResult = (Numbered & MadeChange) | NotRecorded;

/** What a row of the result is. */
const NEW = 0;
const ADVANCED = 1;
const EXISTING = 2;

const IN_ORDER = (table: string) => `ORDER BY ${table}.account, ${table}.reference`;

/** Number, time and nonce of a new row whose status is one of some; nulls for any other. */
const ifStatus = (condition: string) =>
  ['sequence', `${RECORDED_AT_MS}::bigint`, `${NONCE}::bigint`]
    .map((value) => `CASE WHEN status ${condition} THEN ${value} END`)
    .join(', ');

/**
 * Records a group if the heads of all its accounts are locked. New rows and rows that advance get the numbers after the
 * head, in the order in which they are given; all others are returned to be compared. An archive locks the head too, so
 * no new row of an archived day is recorded.
 *
 * A row that another program records without the lock is a duplicate, an error: a number that was given to it would
 * be missing. An advancing row is locked before it is numbered for the same reason. The status is compared as part of a row
 * value: as a separate condition, it could make the planner read a whole index of account and status.
 */
const RECORD = readStatement(
  `WITH found AS MATERIALIZED (
  SELECT head.account, given.reference COLLATE "C" AS reference, ${RECORDED_COLUMNS.slice(2)
    .map((column) => (column in OF_RECORDED ? `${OF_RECORDED[column]} AS ${column}` : `given.${column}`))
    .join(', ')}, ordinal,
    head.head_sequence, head.archived_before_ms, t.reference IS NULL AND (given.created_at_ms < head.archived_before_ms) IS NOT TRUE AS is_new,
    given.status <> 'pending' AND (t.status, ${columnsOf('t', FIXED_COLUMNS)}) IS NOT DISTINCT FROM ('pending', ${columnsOf('given', FIXED_COLUMNS)})
      AND ${hasDetailsOf('given.details')} AS advances,
    ${RECORDED_COLUMNS.slice(1)
      .map((column) => `t.${column} AS existing_${column}`)
      .join(', ')}
  FROM ${lockTimeout(LOCK_TIMEOUT)} CROSS JOIN ${GIVEN}
  CROSS JOIN LATERAL ${lateralHead('given')}
  LEFT JOIN transactions AS t ON t.account = given.account AND t.reference = given.reference
  WHERE (SELECT current_setting('${HAS_LOCKED_ALL}')) = 'true'
), advancing AS MATERIALIZED (
  SELECT ${columnsOf('found', RECORDED_COLUMNS)}, found.ordinal, found.head_sequence
  FROM found JOIN transactions AS t ON t.account = found.account AND t.reference = found.reference
  WHERE found.advances AND (t.status, t.reference) IS NOT DISTINCT FROM ('pending', found.reference)
  ${IN_ORDER('found')} FOR NO KEY UPDATE OF t
), numbered AS MATERIALIZED (
  SELECT *, head_sequence + count(*) OVER (PARTITION BY account ORDER BY ordinal ROWS UNBOUNDED PRECEDING) AS sequence
  FROM (
    SELECT ${COLUMNS}, ordinal, head_sequence, true AS is_new FROM found WHERE is_new
    UNION ALL SELECT ${COLUMNS}, ordinal, head_sequence, false FROM advancing
  ) AS changes
), inserted AS (
  INSERT INTO transactions (${COLUMNS}, pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce)
  SELECT ${COLUMNS}, ${ifStatus("= 'pending'")}, ${ifStatus("<> 'pending'")}
  FROM numbered WHERE is_new ${IN_ORDER('numbered')} RETURNING 1
), advanced AS (
  UPDATE transactions AS t SET status = numbered.status, paid_at_ms = numbered.paid_at_ms, final_details = numbered.final_details, final_sequence = numbered.sequence,
    final_recorded_at_ms = ${RECORDED_AT_MS}, final_nonce = ${NONCE}
  FROM numbered WHERE NOT numbered.is_new AND t.account = numbered.account AND t.reference = numbered.reference RETURNING 1
), heads AS (${STORE_HEADS}
), totals AS (
  ${ADD_TO_TOTALS}
), moved AS (
  ${MARK_MOVED}
), written AS MATERIALIZED (
  SELECT (SELECT count(*) FROM inserted) + (SELECT count(*) FROM advanced) AS count
)
SELECT CASE WHEN (SELECT count FROM written) = (SELECT count(*) FROM numbered) THEN ordinal
    ELSE concat('the database left out a row: it wrote ', (SELECT count FROM written))::bigint END,
  CASE WHEN is_new THEN ${NEW} ELSE ${ADVANCED} END::bigint, ${RECORDED_COLUMNS.slice(1)
    .map((column, index) =>
      column === 'details_removed_at_ms'
        ? column
        : TYPES[index + 1] === 'text'
          ? 'NULL'
          : `NULL::${TYPES[index + 1]}`,
    )
    .join(', ')}, sequence
FROM numbered
UNION ALL SELECT ordinal, ${EXISTING}, ${RECORDED_COLUMNS.slice(1)
    .map((column) => `existing_${column}`)
    .join(', ')}, CASE WHEN existing_reference IS NULL THEN archived_before_ms END
FROM found WHERE NOT is_new AND NOT advances`,
  readRecordedRow,
);

function readRecordedRow(row: RowReader): RecordedRow {
  const ordinal = row.integer();
  const kind = row.integer();
  const existing = readTransactionOrNulls(row);
  const sequence = row.integerOrNull();
  if (kind === EXISTING && existing.reference === null)
    return { ordinal, result: { archivedBeforeMs: sequence as number } };
  if (kind === EXISTING) return { ordinal, result: { existing: existing as Transaction } };
  const number = { sequence: sequence as number };
  if (kind === NEW) return { ordinal, result: { outcome: 'recorded', ...number } };
  const { detailsRemovedAtMs } = existing;
  return { ordinal, result: { outcome: 'changed', ...number, detailsRemovedAtMs } };
}

/** Recordings into an account that is being erased are refused because of that, on archived days too. */
export const NOT_ERASED =
  'NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.account = archives.account AND closed_at_sequence IS NOT NULL)';

const USE_KEY = statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference)
SELECT $1, $2, $3, $4 FROM ${lockTimeout('$6')} WHERE NOT EXISTS (SELECT 1 FROM archives WHERE account = $1 AND before_ms > $5 AND ${NOT_ERASED})
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

export const READ_ARCHIVED_BEFORE = statement(
  `SELECT before_ms FROM archives WHERE account = $1 AND before_ms > $2 AND ${NOT_ERASED}`,
);

export const READ_KEY = statement(
  'SELECT fingerprint, reference FROM idempotency_keys WHERE account = $1 AND key = $2',
);

export const IS_RECORDED = statement('SELECT 1 FROM transactions WHERE account = $1 AND reference = $2');

export const rowIdentityOf = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

/** How statements are sent: see Connection. */
export interface StatementSender {
  query<Row extends Value[]>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  transact<const Steps extends readonly TxStep[]>(steps: Steps): Promise<TxRows<Steps>>;
  script(text: string): Promise<Value[][][]>;
}

/** How statements are sent, and how long they wait for what another transaction of the database holds. */
export interface SendOptions {
  sender: StatementSender;
  /** How long a statement waits for the head of an account. */
  headWaitMs: number;
  /** How long a statement waits for a row. If it has the locks of heads, others wait for these meanwhile. */
  rowWaitMs: number;
}

type UsedKey = readonly [
  account: string,
  key: string,
  fingerprint: string,
  reference: string,
  createdAtMs: number,
];

/** The statements of recordings. Each call is one transaction of the database, and can be repeated. */
export interface RecordingStatements {
  /** The most rows of one call. */
  readonly maxRows: number;
  /** Whether a statement failed because another transaction of the database holds a row. */
  isHeld(error: unknown): boolean;
  /** The result of each row, in their order; undefined if the row must be sent again. */
  record(
    sending: SendOptions,
    rows: readonly AccountTransaction[],
    stamp: CommitStamp,
  ): Promise<(RecordedResult | undefined)[]>;
  /** Uses a key for a new transaction. Returns nothing if the key is used already, or if the transaction is of an archived day. */
  useKey(sending: SendOptions, key: UsedKey): Promise<[string][]>;
}

/** The first step of a transaction of the database that numbers changes. */
const lockHeads = (accounts: readonly string[], waitMs: number) => ({
  statement: LOCK_HEADS,
  values: [arrayText(accounts), waitMs],
});

/** Makes the heads of accounts that have none, as a step of a transaction of the database. */
const makeHeads = (accounts: readonly string[], waitMs: number) => ({
  statement: MAKE_ACCOUNTS,
  values: [arrayText(accounts), waitMs],
});

export async function makeAccounts(
  sender: Pick<StatementSender, 'transact'>,
  accounts: readonly string[],
  waitMs: number,
): Promise<void> {
  await sender.transact([makeHeads(accounts, waitMs)]);
}

async function record(
  { sender, headWaitMs, rowWaitMs }: SendOptions,
  rows: readonly AccountTransaction[],
  { recordedAtMs, nonce }: CommitStamp,
): Promise<(RecordedResult | undefined)[]> {
  const accounts = [...new Set(rows.map(({ account }) => account))];
  const values = rows.map(recordedValues);
  const columns = RECORDED_COLUMNS.map((_, column) =>
    arrayText(values.map((row) => row[column] as string | number | null)),
  );
  const [[locked = 0], recorded] = await sender.transact([
    lockHeads(accounts, headWaitMs),
    { statement: RECORD, values: [...columns, rowWaitMs, recordedAtMs, nonce] },
  ]);
  // Nothing is recorded while an account has no head.
  if (locked < accounts.length) await makeAccounts(sender, accounts, headWaitMs);
  const results: (RecordedResult | undefined)[] = rows.map(() => undefined);
  for (const { ordinal, result } of recorded)
    results[ordinal - 1] = 'outcome' in result ? { ...result, nonce } : result;
  return results;
}

export const ON_POSTGRES: RecordingStatements = {
  maxRows: Number.POSITIVE_INFINITY,
  isHeld: isLockTimeout,
  record,
  useKey: ({ sender, rowWaitMs }, key) => sender.query(USE_KEY, [...key, rowWaitMs]),
};
