import { dayOf } from '../../values/calendar.ts';
import { pagesOf } from '../../values/pages.ts';
import { PENDING } from '../../values/status.ts';
import type { Archive } from '../ledger/archives/archive.ts';
import { asPending, type Change, formatChange, stateUpTo } from '../ledger/changes/change.ts';
import { DigestOfChanges, sealedText } from '../ledger/seals/seal.ts';
import { type DaySum, TotalsSum } from '../ledger/totals/total.ts';
import type { Transaction } from '../ledger/transaction.ts';
import type { StoredChange, StoredRow } from './stored-rows.ts';
import type { VerifyReader } from './verify-reader.ts';

export function rowUpTo(row: StoredRow, upTo: number): StoredRow | undefined {
  const state = stateUpTo(row, upTo);
  if (state === undefined) return undefined;
  if (state === 'final' || row.finalSequence === null) return row;
  return { ...asPending(row), finalSequence: null, finalRecordedAtMs: null, finalNonce: null };
}

/** Damaged values are returned unchanged. */
export function storedChangeOf(row: StoredRow, isPending: boolean): StoredChange {
  const shown = (isPending ? asPending(row) : row) as Transaction;
  const [sequence, nonce, recordedAtMs] = isPending
    ? [row.pendingSequence, row.pendingNonce, row.pendingRecordedAtMs]
    : [row.finalSequence, row.finalNonce, row.finalRecordedAtMs];
  const previousStatus = isPending || row.pendingSequence === null ? null : PENDING;
  return { sequence, nonce, recordedAtMs, previousStatus, transaction: shown, row } as StoredChange;
}

export function changesIn(
  { pendingSequence, finalSequence }: StoredRow,
  after: number,
  upTo: number,
): number {
  const isIn = (sequence: number | null) => sequence !== null && sequence > after && sequence <= upTo;
  return (isIn(pendingSequence) ? 1 : 0) + (isIn(finalSequence) ? 1 : 0);
}

export const wasPendingAt = (
  { pendingSequence }: Pick<StoredRow, 'pendingSequence'>,
  after: number,
): boolean => pendingSequence !== null && pendingSequence <= after;

export function sumsOfChanges(changedRows: readonly StoredRow[], after: number): DaySum[] {
  const sum = new TotalsSum();
  for (const row of changedRows) {
    const { createdAtMs, currencyCode, status, amountMinor } = row;
    const day = dayOf(createdAtMs);
    sum.addRow(day, currencyCode ?? '', status ?? '', amountMinor ?? 0);
    if (wasPendingAt(row, after)) sum.addRow(day, currencyCode ?? '', PENDING, amountMinor ?? 0, -1);
  }
  return sum.list() as DaySum[];
}

type Archived = Pick<Archive, 'beforeMs' | 'floorSequence'>;

export const isOfArchive = (
  { createdAtMs, finalSequence }: Pick<StoredRow, 'createdAtMs' | 'finalSequence'>,
  { beforeMs, floorSequence }: Archived,
): boolean => createdAtMs < beforeMs && finalSequence !== null && finalSequence <= floorSequence;

export async function* changesUpTo(
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  upTo: number,
): AsyncGenerator<StoredChange> {
  const pages = pagesOf<StoredChange>((last, count) =>
    reader.readFeed(account, last?.sequence ?? 0, upTo, count),
  );
  for await (const changes of pages) yield* changes;
}

/** Returns a digest of the changes up to `floorSequence` that archiving left in the database. */
export async function restOf(
  reader: Pick<VerifyReader, 'readFeed'>,
  account: string,
  archive: Archived,
): Promise<string> {
  const digest = new DigestOfChanges();
  for await (const change of changesUpTo(reader, account, archive.floorSequence))
    if (!isOfArchive(change.row, archive)) digest.add(sealedTextOf(account, change));
  return digest.hex();
}

/** If values are damaged, returns a text that differs from every sealed text. */
export function sealedTextOf(account: string, change: Change): string {
  try {
    return sealedText(formatChange(account, change));
  } catch {
    return 'damaged';
  }
}
