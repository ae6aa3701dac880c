import {
  arrayText,
  isLockTimeout,
  type TxRows,
  type TxStep,
  type Value,
} from '../../../db/postgres/driver/index.ts';
import { type SentStatement, sentStatement } from '../../../db/postgres/sent-statement.ts';
import { type Row, statementsOf, type Values } from '../../../db/statement.ts';
import type { CommitStamp } from '../../changes/change.ts';
import { type AccountTransaction, readTransactionOrNulls, type Transaction } from '../../transaction.ts';
import type { MadeChange } from '../record.ts';

/** `ordinal` is counted from 1. */
type RecordedRow = { ordinal: number; result: Numbered | NotRecorded };

type Numbered = { outcome: 'recorded' | 'changed'; sequence: number; detailsRemovedAtMs?: number | null };

type NotRecorded = { existing: Transaction } | { archivedBeforeMs: number };

export type RecordedResult = (Numbered & MadeChange) | NotRecorded;

const written = statementsOf(new URL('./record.sql', import.meta.url));

const MAKE_HEADS = sentStatement(written('makeHeads'));

const LOCK_HEADS = sentStatement(
  written('lockHeads', (row) => {
    const count = row.integer();
    row.text();
    return count;
  }),
);

/** The kinds of rows: see `record` in record.sql. */
const NEW = 0;
const EXISTING = 2;

const RECORD = sentStatement(written('record', readRecordedRow));

const USE_KEY = sentStatement(written('useKey', (row) => row.text()));
export const ARCHIVED_BEFORE_TEXT = written('readArchivedBefore', (row) => row.integer());
export const READ_ARCHIVED_BEFORE = sentStatement(ARCHIVED_BEFORE_TEXT);
export const READ_KEY = sentStatement(
  written('readKey', (row) => ({ fingerprint: row.text(), reference: row.text() })),
);
export const IS_RECORDED = sentStatement(written('isRecorded', (row) => row.integer()));

function readRecordedRow(row: Row): RecordedRow {
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

export const rowIdentityOf = ({ account, reference }: AccountTransaction) => `${account} ${reference}`;

export interface StatementSender {
  transact<const Steps extends readonly TxStep[]>(steps: Steps): Promise<TxRows<Steps>>;
  script(text: string): Promise<Value[][][]>;
}

export async function sendOne<Read>(
  sender: Pick<StatementSender, 'transact'>,
  statement: SentStatement<Read>,
  values: Values,
): Promise<Read[]> {
  const [rows] = await sender.transact([{ statement, values: statement.valuesOf(values) }]);
  return rows;
}

export interface SendOptions {
  sender: StatementSender;
  headWaitMs: number;
  /** How long to wait for a locked transaction. Recordings of the same account wait meanwhile. */
  rowWaitMs: number;
}

/** Each call is one database transaction, and can be repeated. */
export interface RecordingStatements {
  readonly maxRows: number;
  isHeld(error: unknown): boolean;
  /** Returns the results in the order of the rows. A result is undefined if its row must be sent again. */
  record(
    sending: SendOptions,
    rows: readonly AccountTransaction[],
    stamp: CommitStamp,
  ): Promise<(RecordedResult | undefined)[]>;
  /** Returns the reference, or nothing if the key was used before or the transaction's day is archived. */
  useKey(sending: SendOptions, key: Values): Promise<string[]>;
}

export async function makeAccounts(
  sender: Pick<StatementSender, 'transact'>,
  accounts: readonly string[],
  waitMs: number,
): Promise<void> {
  await sendOne(sender, MAKE_HEADS, { accounts: arrayText(accounts), waitMs });
}

async function record(
  { sender, headWaitMs, rowWaitMs }: SendOptions,
  rows: readonly AccountTransaction[],
  { recordedAtMs, nonce }: CommitStamp,
): Promise<(RecordedResult | undefined)[]> {
  const accounts = [...new Set(rows.map(({ account }) => account))];
  const column = (ofRow: (row: AccountTransaction) => string | number | null) => arrayText(rows.map(ofRow));
  const recording = RECORD.valuesOf({
    accounts: column(({ account }) => account),
    references: column(({ reference }) => reference),
    merchantReferences: column(({ merchantReference }) => merchantReference),
    statuses: column(({ status }) => status),
    amounts: column(({ amountMinor }) => amountMinor),
    currencies: column(({ currencyCode }) => currencyCode),
    paidAtMs: column(({ paidAtMs }) => paidAtMs),
    createdAtMs: column(({ createdAtMs }) => createdAtMs),
    relatedTo: column(({ relatedTo }) => relatedTo),
    details: column(({ details }) => details),
    detailsRemovedAtMs: column(({ detailsRemovedAtMs }) => detailsRemovedAtMs),
    waitMs: rowWaitMs,
    recordedAtMs,
    nonce,
  });
  const [[locked = 0], recorded] = await sender.transact([
    {
      statement: LOCK_HEADS,
      values: LOCK_HEADS.valuesOf({ accounts: arrayText(accounts), waitMs: headWaitMs }),
    },
    { statement: RECORD, values: recording },
  ]);
  // If an account had no row in `accounts`, nothing was recorded. The caller sends the rows again.
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
  useKey: ({ sender, rowWaitMs }, key) => sendOne(sender, USE_KEY, { ...key, waitMs: rowWaitMs }),
};
