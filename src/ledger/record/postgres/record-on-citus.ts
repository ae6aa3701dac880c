import pg from 'pg';
import { isLockTimeout, isSlowStatement, statement, type Value } from '../../../db/postgres/driver/index.ts';
import { addSumsSql, DAY } from '../../totals/postgres/add-to-totals.ts';
import type { AccountTransaction } from '../../transaction.ts';
import {
  FIXED_COLUMNS,
  RECORDED_COLUMNS,
  recordedValues,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionOf,
} from '../../transaction-columns.ts';
import type { CommitStamp } from '../commit-stamp.ts';
import {
  addedDetailsSql,
  hasDetailsOf,
  NOT_ERASED,
  READ_ARCHIVED_BEFORE,
  type RecordedResult,
  type RecordingStatements,
  TYPES,
} from './record-statements.ts';

const COLUMNS = RECORDED_COLUMNS.join(', ');

const USE_KEY =
  statement(`INSERT INTO idempotency_keys (account, key, fingerprint, reference) VALUES ($1, $2, $3, $4)
ON CONFLICT (account, key) DO NOTHING RETURNING reference`);

/** How long a statement can wait for a row. Others wait for the head of its account meanwhile. */
const ROW_STATEMENT_MS = 250;

const literal = (value: string | number | null) =>
  typeof value === 'string' ? pg.escapeLiteral(value) : String(value);

/**
 * Makes the head of an account that has none, and locks it. The numbers of an account whose head was lost, for example in a restore, go
 * on: a head is 0 only while the account has no number.
 */
function lockHeadScript(account: string): string {
  const largest = (sequence: string) =>
    `(SELECT max(${sequence}) AS sequence FROM transactions WHERE account = ${account} AND ${sequence} IS NOT NULL)`;
  return `INSERT INTO accounts (account, head_sequence) VALUES (${account}, 0) ON CONFLICT (account) DO NOTHING;
UPDATE accounts SET head_sequence = greatest(became_pending.sequence, became_final.sequence)
FROM ${largest('pending_sequence')} AS became_pending, ${largest('final_sequence')} AS became_final
WHERE accounts.account = ${account} AND head_sequence = 0 AND greatest(became_pending.sequence, became_final.sequence) > 0;
SELECT head_sequence FROM accounts WHERE account = ${account} FOR NO KEY UPDATE`;
}

/**
 * Adds the change of the transaction that has the number after the head to the stored totals: a final status takes it from the pending ones, if it was
 * one of them.
 */
const addToTotalsSql = (account: string, reference: string) =>
  addSumsSql(`SELECT t.account, ${DAY}, t.currency_code, CASE WHEN change.count > 0 THEN t.status ELSE 'pending' END, change.count, change.count * t.amount_minor
FROM transactions AS t JOIN accounts ON accounts.account = t.account CROSS JOIN unnest('{1,-1}'::bigint[]) AS change (count)
WHERE t.account = ${account} AND accounts.account = ${account} AND t.reference = ${reference} AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
  AND (change.count > 0 OR (t.pending_sequence IS NOT NULL AND t.final_sequence IS NOT NULL))`);

/**
 * Records one transaction. Each statement names the account as a value, by which Citus finds the shard, and sees what was
 * committed before it began: the numbers are read after the head is locked. The head advances if the row has the next number.
 */
function recordScript(row: AccountTransaction, { recordedAtMs, nonce }: CommitStamp): string {
  const values = recordedValues(row).map(literal);
  const literalOf = (column: string) => values[RECORDED_COLUMNS.indexOf(column)] as string;
  const typedLiteralOf = (column: string) =>
    `${literalOf(column)}::${TYPES[RECORDED_COLUMNS.indexOf(column)]}`;
  const account = literalOf('account');
  const reference = literalOf('reference');
  const sequence = row.status === 'pending' ? 'pending' : 'final';
  const isArchivedDay = `account = ${account} AND before_ms > ${literalOf('created_at_ms')} AND ${NOT_ERASED}`;
  return `${lockHeadScript(account)};
SET LOCAL statement_timeout = ${ROW_STATEMENT_MS};
INSERT INTO transactions (${COLUMNS}, ${sequence}_sequence, ${sequence}_recorded_at_ms, ${sequence}_nonce)
SELECT accounts.account, ${RECORDED_COLUMNS.slice(1).map(typedLiteralOf).join(', ')}, accounts.head_sequence + 1, ${recordedAtMs}::bigint, ${nonce}::bigint
FROM accounts WHERE accounts.account = ${account} AND NOT EXISTS (SELECT 1 FROM archives WHERE ${isArchivedDay})
ON CONFLICT (account, reference) DO NOTHING RETURNING ${sequence}_sequence;
UPDATE transactions AS t SET status = ${literalOf('status')}, paid_at_ms = ${literalOf('paid_at_ms')},
  final_details = ${addedDetailsSql(typedLiteralOf('details'))}, final_sequence = accounts.head_sequence + 1, final_recorded_at_ms = ${recordedAtMs}::bigint, final_nonce = ${nonce}::bigint
FROM accounts WHERE accounts.account = ${account} AND t.account = ${account} AND t.reference = ${reference} AND ${literalOf('status')} <> 'pending'
  AND (t.status, ${FIXED_COLUMNS.map((column) => `t.${column}`).join(', ')}) IS NOT DISTINCT FROM ('pending', ${FIXED_COLUMNS.map(typedLiteralOf).join(', ')})
  AND ${hasDetailsOf(typedLiteralOf('details'))}
RETURNING t.final_sequence;
${addToTotalsSql(account, reference)};
UPDATE accounts SET head_sequence = head_sequence + 1 WHERE account = ${account} AND EXISTS (
  SELECT 1 FROM transactions AS t WHERE t.account = ${account} AND t.reference = ${reference}
    AND greatest(t.pending_sequence, t.final_sequence) = accounts.head_sequence + 1
);
SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ${account} AND reference = ${reference};
SELECT before_ms FROM archives WHERE ${isArchivedDay}`;
}

/** A worker does not know the lock timeout of the coordinator's session: the statement timeout ends the wait instead. */
export const ON_CITUS: RecordingStatements = {
  maxRows: 1,
  isHeld: (error) => isLockTimeout(error) || isSlowStatement(error),
  record: async ({ sender }, rows, stamp) => {
    const [row] = rows as [AccountTransaction];
    // Several statements in one message are one transaction, also for Citus, which does not recognize that of a pipeline.
    const [, , , , inserted, advanced, , , found, archived] = await sender.script(recordScript(row, stamp));
    const numberOf = (rows: Value[][] | undefined) => rows?.[0]?.[0] as number | undefined;
    const existing = found?.[0] as TransactionRow | undefined;
    const archivedBeforeMs = numberOf(archived);
    if (existing === undefined && archivedBeforeMs !== undefined) return [{ archivedBeforeMs }];
    return [resultOfScript(numberOf(inserted), numberOf(advanced), stamp, existing)];
  },
  useKey: async ({ sender }, [account, key, fingerprint, reference, createdAtMs]) => {
    const archived = await sender.query(READ_ARCHIVED_BEFORE, [account, createdAtMs]);
    return archived.length > 0 ? [] : sender.query(USE_KEY, [account, key, fingerprint, reference]);
  },
};

function resultOfScript(
  inserted: number | undefined,
  advanced: number | undefined,
  { nonce }: CommitStamp,
  found: TransactionRow | undefined,
): RecordedResult | undefined {
  if (inserted !== undefined) return { outcome: 'recorded', sequence: inserted, nonce };
  const existing = found && transactionOf(found);
  if (existing === undefined || advanced === undefined) return existing && { existing };
  const { detailsRemovedAtMs } = existing;
  return { outcome: 'changed', sequence: advanced, nonce, detailsRemovedAtMs };
}
