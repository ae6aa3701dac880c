import type { Change } from './changes/change.ts';
import { changesOf, type TransactionNumbers } from './changes/numbered-changes.ts';
import type { AccountTransaction, Transaction } from './transaction.ts';

export type ColumnValue = string | number | null;

/** The columns of a recorded transaction, in the order of the fields of `transaction-fields.ts`. */
export const COLUMNS = {
  account: 'account',
  reference: 'reference',
  merchantReference: 'merchant_reference',
  status: 'status',
  amountMinor: 'amount_minor',
  currencyCode: 'currency_code',
  paidAtMs: 'paid_at_ms',
  createdAtMs: 'created_at_ms',
  relatedTo: 'related_to',
  details: 'details',
  finalDetails: 'final_details',
  detailsRemovedAtMs: 'details_removed_at_ms',
} as const satisfies Record<keyof AccountTransaction, string>;

export const NUMBER_COLUMNS = {
  pendingSequence: 'pending_sequence',
  pendingRecordedAtMs: 'pending_recorded_at_ms',
  pendingNonce: 'pending_nonce',
  finalSequence: 'final_sequence',
  finalRecordedAtMs: 'final_recorded_at_ms',
  finalNonce: 'final_nonce',
} as const satisfies Record<keyof TransactionNumbers, string>;

/** The columns of a TransactionRow. */
export const TRANSACTION_COLUMNS =
  'reference, merchant_reference, status, amount_minor, currency_code, paid_at_ms, created_at_ms, related_to, details, final_details, details_removed_at_ms';

/** The values of TRANSACTION_COLUMNS. Further ones can follow. */
export type TransactionRow = [
  reference: string,
  merchantReference: string | null,
  status: string,
  amountMinor: number,
  currencyCode: string,
  paidAtMs: number | null,
  createdAtMs: number,
  relatedTo: string | null,
  details: string | null,
  finalDetails: string | null,
  detailsRemovedAtMs: number | null,
];

/** The values of all COLUMNS: the account is the first. */
export type RecordedRow = [account: string, ...TransactionRow];

export const recordedValues = (recorded: AccountTransaction): RecordedRow => [
  recorded.account,
  recorded.reference,
  recorded.merchantReference,
  recorded.status,
  recorded.amountMinor,
  recorded.currencyCode,
  recorded.paidAtMs,
  recorded.createdAtMs,
  recorded.relatedTo,
  recorded.details,
  recorded.finalDetails,
  recorded.detailsRemovedAtMs,
];

export const accountTransactionOf = (row: RecordedRow): AccountTransaction => ({
  account: row[0],
  reference: row[1],
  merchantReference: row[2],
  status: row[3],
  amountMinor: row[4],
  currencyCode: row[5],
  paidAtMs: row[6],
  createdAtMs: row[7],
  relatedTo: row[8],
  details: row[9],
  finalDetails: row[10],
  detailsRemovedAtMs: row[11],
});

export const transactionOf = (row: readonly [...TransactionRow, ...unknown[]]): Transaction => ({
  reference: row[0],
  merchantReference: row[1],
  status: row[2],
  amountMinor: row[3],
  currencyCode: row[4],
  paidAtMs: row[5],
  createdAtMs: row[6],
  relatedTo: row[7],
  details: row[8],
  finalDetails: row[9],
  detailsRemovedAtMs: row[10],
});

/** A transaction with the numbers of its changes. */
export type ChangesRow = [
  ...TransactionRow,
  pendingSequence: number | null,
  pendingRecordedAtMs: number | null,
  pendingNonce: number | null,
  finalSequence: number | null,
  finalRecordedAtMs: number | null,
  finalNonce: number | null,
];

export const numbersOf = (row: ChangesRow): TransactionNumbers => ({
  pendingSequence: row[11],
  pendingRecordedAtMs: row[12],
  pendingNonce: row[13],
  finalSequence: row[14],
  finalRecordedAtMs: row[15],
  finalNonce: row[16],
});

export const changesOfRow = (row: ChangesRow): Change[] => changesOf(transactionOf(row), numbersOf(row));
