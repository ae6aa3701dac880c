import { type RowPosition, StorageDamaged, type StoredRow, type VerifyReader } from './verify-reader.ts';

export interface RowsToRead {
  pageSize: number;
  /** Begins at this time. */
  fromMs?: number | null;
  /** Ends before this time. */
  beforeMs?: number | null;
}

/** The transactions of an account in pages, by createdAt and reference. Throws: StorageDamaged if a page does not go on. */
export async function* readAllRows(
  reader: Pick<VerifyReader, 'readRows'>,
  account: string,
  { pageSize, fromMs = null, beforeMs = null }: RowsToRead,
): AsyncGenerator<StoredRow[], undefined> {
  // No reference is before the empty one.
  let from: RowPosition | null = fromMs === null ? null : { createdAtMs: fromMs, reference: '' };
  for (let isInclusive = true; ; isInclusive = false) {
    const rows = await reader.readRows(account, { from, isInclusive, beforeMs, limit: pageSize });
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    // A damaged reference can come again and again.
    if (from !== null && compareOrder(last, from) <= (isInclusive ? -1 : 0))
      throw new StorageDamaged('transactions are not in their order');
    yield rows;
    if (rows.length < pageSize) return undefined;
    from = last;
  }
}

const compareOrder = (left: RowPosition, right: RowPosition): number =>
  left.createdAtMs - right.createdAtMs ||
  Buffer.compare(Buffer.from(left.reference), Buffer.from(right.reference));
