import type { RecordTable } from '../../../values/tables.ts';
import type { Position } from '../../ledger/list/list.ts';
import { type RecordPage, StorageDamaged, type StoredRecord, type StoredRow } from './stored.ts';
import type { VerifyReader } from './verify-reader.ts';

export interface RowsToRead {
  pageSize: number;
  fromMs?: number | null;
  /** Ends before this time. */
  beforeMs?: number | null;
}

/** An account's transactions in pages, by createdAt and reference. Throws: StorageDamaged if one stalls. */
export async function* readAllRows(
  reader: Pick<VerifyReader, 'readRows'>,
  account: string,
  { pageSize, fromMs = null, beforeMs = null }: RowsToRead,
): AsyncGenerator<StoredRow[], undefined> {
  // No reference is before the empty one.
  let from: Position | null = fromMs === null ? null : { createdAtMs: fromMs, reference: '' };
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

/** A small table's records in pages, of one account or all. Throws: StorageDamaged if a page stalls. */
export async function* readAllRecords(
  reader: Pick<VerifyReader, 'readRecords'>,
  table: RecordTable,
  account: string | null,
): AsyncGenerator<StoredRecord[], undefined> {
  for (let after: Key | null | undefined = null; after !== undefined; ) {
    const { records, next }: RecordPage = await reader.readRecords(table, account, after);
    yield records;
    // A damaged key can come again and again.
    if (after !== null && next !== undefined && !isAfter(next, after))
      throw new StorageDamaged(`rows of ${table} are not in their order`);
    after = next;
  }
  return undefined;
}

type Key = readonly (string | number)[];

function isAfter(key: Key, last: Key): boolean {
  for (const [at, value] of key.entries()) {
    const before = last[at] ?? '';
    const order =
      typeof value === 'number' && typeof before === 'number'
        ? value - before
        : Buffer.compare(Buffer.from(String(value)), Buffer.from(String(before)));
    if (order !== 0) return order > 0;
  }
  return false;
}

const compareOrder = (left: Position, right: Position): number =>
  left.createdAtMs - right.createdAtMs ||
  Buffer.compare(Buffer.from(left.reference), Buffer.from(right.reference));
