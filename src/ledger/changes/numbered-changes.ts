import { PENDING } from '../../../values/status.ts';
import type { Transaction } from '../transaction.ts';
import type { Change } from './change.ts';

/** The numbers of a transaction, and when they were given: at least one of both. */
export interface TransactionNumbers {
  pendingSequence: number | null;
  pendingRecordedAtMs: number | null;
  pendingNonce: number | null;
  finalSequence: number | null;
  finalRecordedAtMs: number | null;
  finalNonce: number | null;
}

/**
 * The state of a transaction up to a sequence number: final as it is now, pending, or undefined if it was not
 * recorded yet.
 */
export function stateUpTo(
  { pendingSequence, finalSequence }: Pick<TransactionNumbers, 'pendingSequence' | 'finalSequence'>,
  upTo: number,
): 'final' | 'pending' | undefined {
  if (finalSequence !== null && finalSequence <= upTo) return 'final';
  return pendingSequence !== null && pendingSequence <= upTo ? 'pending' : undefined;
}

/** A transaction as it was while it was pending. */
export const asPending = <
  Shape extends { status: string | null; paidAtMs: number | null; finalDetails: string | null },
>(
  transaction: Shape,
): Shape => ({
  ...transaction,
  status: PENDING,
  paidAtMs: null,
  finalDetails: null,
});

/** The changes of a transaction, oldest first. */
export function changesOf(transaction: Transaction, numbers: TransactionNumbers): Change[] {
  const { pendingSequence, pendingRecordedAtMs, pendingNonce, finalSequence, finalRecordedAtMs, finalNonce } =
    numbers;
  const change = (
    sequence: number | null,
    recordedAtMs: number | null,
    nonce: number | null,
    previousStatus: string | null,
    shown: Transaction,
  ): Change[] =>
    sequence === null || recordedAtMs === null || nonce === null
      ? []
      : [{ sequence, nonce, previousStatus, recordedAtMs, transaction: shown }];
  return [
    ...change(pendingSequence, pendingRecordedAtMs, pendingNonce, null, asPending(transaction)),
    ...change(
      finalSequence,
      finalRecordedAtMs,
      finalNonce,
      pendingSequence === null ? null : PENDING,
      transaction,
    ),
  ];
}
