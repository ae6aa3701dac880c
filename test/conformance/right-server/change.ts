import type { Change } from './ledger.ts';
import { formatTime } from './times.ts';
import { showTransaction } from './transaction.ts';

/** A change as callers and receivers of webhooks see it: the transaction as it was right after it. */
export function showChange({ sequence, id, previousStatus, recordedAtMs, transaction }: Change) {
  return {
    id,
    sequence,
    type: `transaction.${transaction.status}`,
    previousStatus,
    recordedAt: formatTime(recordedAtMs),
    transaction: showTransaction(transaction),
  };
}
