import type { RowPosition, StoredRow, VerifyReader } from './verify-reader.ts';

export interface RowsToRead {
  pageSize: number;
  /** Begins at this time. */
  fromMs?: number | null;
  /** Ends before this time. */
  beforeMs?: number | null;
}

/** The transactions of an account in pages, by createdAt and reference. */
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
    yield rows;
    if (rows.length < pageSize) return undefined;
    from = last;
  }
}

/** The transaction at a place in the order, as it is now. */
export async function readRow(
  reader: Pick<VerifyReader, 'readRows'>,
  account: string,
  at: RowPosition,
): Promise<StoredRow | undefined> {
  const [row] = await reader.readRows(account, { from: at, isInclusive: true, beforeMs: null, limit: 1 });
  return row?.reference === at.reference && row.createdAtMs === at.createdAtMs ? row : undefined;
}
