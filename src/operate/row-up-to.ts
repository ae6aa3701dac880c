import { dayOf } from '../../values/calendar.ts';
import { PENDING } from '../../values/status.ts';
import { asPending, stateUpTo } from '../ledger/changes/change.ts';
import type { DaySum } from '../ledger/totals/totals.ts';
import { TotalsSum } from '../ledger/totals/totals.ts';
import type { Transaction } from '../ledger/transaction.ts';
import type { StoredChange, StoredRow } from './verify/stored.ts';

/** A transaction as it was stored at a sequence number, or undefined if it was not recorded yet. */
export function rowUpTo(row: StoredRow, upTo: number): StoredRow | undefined {
  const state = stateUpTo(row, upTo);
  if (state === undefined) return undefined;
  if (state === 'final' || row.finalSequence === null) return row;
  return { ...asPending(row), finalSequence: null, finalRecordedAtMs: null, finalNonce: null };
}

/** The pending or the final change of a transaction. Damaged values are returned unchanged. */
export function storedChangeOf(row: StoredRow, isPending: boolean): StoredChange {
  const shown = (isPending ? asPending(row) : row) as Transaction;
  const [sequence, nonce, recordedAtMs] = isPending
    ? [row.pendingSequence, row.pendingNonce, row.pendingRecordedAtMs]
    : [row.finalSequence, row.finalNonce, row.finalRecordedAtMs];
  const previousStatus = isPending || row.pendingSequence === null ? null : PENDING;
  return { sequence, nonce, recordedAtMs, previousStatus, transaction: shown, row } as StoredChange;
}

/** The number of changes of a transaction in a range of sequence numbers. */
export function changesIn(
  { pendingSequence, finalSequence }: StoredRow,
  after: number,
  upTo: number,
): number {
  const isIn = (sequence: number | null) => sequence !== null && sequence > after && sequence <= upTo;
  return (isIn(pendingSequence) ? 1 : 0) + (isIn(finalSequence) ? 1 : 0);
}

/** True if a transaction was pending at a sequence number already. */
export const wasPendingAt = (
  { pendingSequence }: Pick<StoredRow, 'pendingSequence'>,
  after: number,
): boolean => pendingSequence !== null && pendingSequence <= after;

/**
 * The amounts that the changes after a number add to the totals. `rows` are the transactions that changed, as
 * they were after the last of these changes.
 */
export function sumsOfChanges(rows: readonly StoredRow[], after: number): DaySum[] {
  const sum = new TotalsSum();
  for (const row of rows) {
    const { createdAtMs, currencyCode, status, amountMinor } = row;
    const day = dayOf(createdAtMs);
    sum.addRow(day, currencyCode ?? '', status ?? '', amountMinor ?? 0);
    if (wasPendingAt(row, after)) sum.addRow(day, currencyCode ?? '', PENDING, amountMinor ?? 0, -1);
  }
  return sum.list() as DaySum[];
}
