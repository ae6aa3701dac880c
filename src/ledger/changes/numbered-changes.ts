import { PENDING } from '../../values/status.ts';
import type { Transaction } from '../transaction.ts';
import type { Change } from './change.ts';

/** The numbers of a transaction, and when they were given: at least one of both. */
export interface TransactionNumbers {
  pendingSequence: number | null;
  pendingRecordedAtMs: number | null;
  finalSequence: number | null;
  finalRecordedAtMs: number | null;
}

/** A transaction as it was while it was pending. */
export const asPending = (transaction: Transaction): Transaction => ({
  ...transaction,
  status: PENDING,
  paidAtMs: null,
});

/** The changes of a transaction, oldest first. */
export function changesOf(transaction: Transaction, numbers: TransactionNumbers): Change[] {
  const { pendingSequence, pendingRecordedAtMs, finalSequence, finalRecordedAtMs } = numbers;
  const change = (
    sequence: number | null,
    recordedAtMs: number | null,
    previousStatus: string | null,
    shown: Transaction,
  ): Change[] =>
    sequence === null || recordedAtMs === null
      ? []
      : [{ sequence, previousStatus, recordedAtMs, transaction: shown }];
  return [
    ...change(pendingSequence, pendingRecordedAtMs, null, asPending(transaction)),
    ...change(finalSequence, finalRecordedAtMs, pendingSequence === null ? null : PENDING, transaction),
  ];
}
