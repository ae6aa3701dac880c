import { asPending, stateUpTo } from '../ledger/changes/numbered-changes.ts';
import type { StoredRow } from './verify/verify-reader.ts';

/** A transaction as it was stored at a sequence number, or undefined if it was not recorded yet. */
export function rowUpTo(row: StoredRow, upTo: number): StoredRow | undefined {
  const state = stateUpTo(row, upTo);
  if (state === undefined) return undefined;
  if (state === 'final' || row.finalSequence === null) return row;
  return { ...asPending(row), finalSequence: null, finalRecordedAtMs: null, finalNonce: null };
}

/** How many changes of a transaction are after a sequence number and at most at another one. */
export function changesIn(
  { pendingSequence, finalSequence }: StoredRow,
  after: number,
  upTo: number,
): number {
  const isIn = (sequence: number | null) => sequence !== null && sequence > after && sequence <= upTo;
  return (isIn(pendingSequence) ? 1 : 0) + (isIn(finalSequence) ? 1 : 0);
}
