import { PENDING } from '../../../values/status.ts';
import { asPending, stateUpTo } from '../changes/change.ts';
import { equalityMatcher, type ListFilter, timeRange } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';
import { type Export, type ExportFilter, type NumberedTransaction, paidRange } from './export.ts';

export function transactionUpTo(numbered: NumberedTransaction, upTo: number): Transaction | undefined {
  const { transaction } = numbered;
  const state = stateUpTo(numbered, upTo);
  if (state === undefined) return undefined;
  return state === 'final' || transaction.status === PENDING ? transaction : asPending(transaction);
}

export interface RecordedTimes {
  recordedAtMs: number;
  statusRecordedAtMs: number;
}

export function recordedTimes(numbered: NumberedTransaction, upTo: number): RecordedTimes {
  const { pendingRecordedAtMs, finalRecordedAtMs } = numbered;
  const isFinal = stateUpTo(numbered, upTo) === 'final';
  // A transaction has at least one of the two times.
  return {
    recordedAtMs: (pendingRecordedAtMs ?? finalRecordedAtMs) as number,
    statusRecordedAtMs: (isFinal ? finalRecordedAtMs : pendingRecordedAtMs) as number,
  };
}

/** A transaction that was pending at `asOf` can have any status now. */
export function scannedFilter({ filter, created }: Pick<Export, 'filter' | 'created'>): ListFilter {
  const scanned = created === null ? filter : { ...filter, ...created, timeZone: null };
  return scanned.status === PENDING ? { ...scanned, status: null } : scanned;
}

export function filterMatcher(filter: ExportFilter): (transaction: Transaction) => boolean {
  const hasValues = equalityMatcher(filter);
  const range = timeRange(filter);
  const fromMs = range.fromMs ?? Number.NEGATIVE_INFINITY;
  const beforeMs = range.beforeMs ?? Number.POSITIVE_INFINITY;
  const paid = paidRange(filter);
  const isPaid = ({ paidAtMs }: Transaction) =>
    paid === null ||
    (paidAtMs !== null &&
      paidAtMs >= (paid.fromMs ?? paidAtMs) &&
      (paid.beforeMs === null || paidAtMs < paid.beforeMs));
  return (transaction) =>
    isPaid(transaction) &&
    hasValues(transaction) &&
    transaction.createdAtMs >= fromMs &&
    transaction.createdAtMs < beforeMs;
}
