import type { Change } from './changes/change.ts';
import { changesOf } from './changes/numbered-changes.ts';
import type { AccountTransaction, Transaction } from './transaction.ts';

/** Each field of a recorded transaction with the type of its column, in the order in which SQL lists the columns. */
export const COLUMN_TYPES = {
  account: 'text',
  reference: 'text',
  merchantReference: 'text',
  status: 'text',
  amountMinor: 'integer',
  currencyCode: 'text',
  paidAtMs: 'integer',
  createdAtMs: 'integer',
} as const satisfies Record<keyof AccountTransaction, 'text' | 'integer'>;

const FIELDS = Object.keys(COLUMN_TYPES) as (keyof AccountTransaction)[];

/** The column of merchantReference is merchant_reference, and so on. */
const columnOf = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of a recorded transaction. The account is the first. */
export const RECORDED_COLUMNS: readonly string[] = FIELDS.map(columnOf);

/** Columns as SQL lists those of one table among several. */
export const columnsOf = (table: string, columns: readonly string[]): string =>
  columns.map((column) => `${table}.${column}`).join(', ');

/** The columns of a TransactionRow. */
export const TRANSACTION_COLUMNS = RECORDED_COLUMNS.slice(1).join(', ');

export type TransactionRow = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
];

/** The values of RECORDED_COLUMNS. Written out like transactionOf, because imports run it for each row. */
export function recordedValues(transaction: AccountTransaction): [account: string, ...TransactionRow] {
  return [
    transaction.account,
    transaction.reference,
    transaction.merchantReference,
    transaction.status,
    transaction.amountMinor,
    transaction.currencyCode,
    transaction.paidAtMs,
    transaction.createdAtMs,
  ];
}

/** Written out, because lists run it for each row: a loop over the fields takes ten times as long. */
export function transactionOf(row: TransactionRow): Transaction {
  return {
    reference: row[0],
    merchantReference: row[1],
    status: row[2],
    amountMinor: row[3],
    currencyCode: row[4],
    paidAtMs: row[5],
    createdAtMs: row[6],
  };
}

/** The columns of a ChangesRow. */
export const CHANGES_COLUMNS = `pending_sequence, pending_recorded_at_ms, pending_nonce, final_sequence, final_recorded_at_ms, final_nonce, ${TRANSACTION_COLUMNS}`;

/** A transaction with the numbers of its changes. */
export type ChangesRow = [
  pendingSequence: number | null,
  pendingRecordedAtMs: number | null,
  pendingNonce: number | null,
  finalSequence: number | null,
  finalRecordedAtMs: number | null,
  finalNonce: number | null,
  ...TransactionRow,
];

export function changesOfRow([
  pendingSequence,
  pendingRecordedAtMs,
  pendingNonce,
  finalSequence,
  finalRecordedAtMs,
  finalNonce,
  ...row
]: ChangesRow): Change[] {
  const numbers = {
    pendingSequence,
    pendingRecordedAtMs,
    pendingNonce,
    finalSequence,
    finalRecordedAtMs,
    finalNonce,
  };
  return changesOf(transactionOf(row), numbers);
}
