import { readAllRows } from '../verify/read-rows.ts';
import type { StoredRow, VerifyReader } from '../verify/verify-reader.ts';
import type { ArchivedRange } from './archive-file.ts';

/** A read of so many rows takes some milliseconds. */
export const ROWS_PER_READ = 1000;

const isArchived = ({ finalSequence }: StoredRow, floorSequence: number) =>
  finalSequence !== null && finalSequence <= floorSequence;

/** The transactions of an account that are archived, or are to be, up to a sequence number. */
export async function* rowsToArchive(
  reader: VerifyReader,
  { account, beforeMs, floorSequence }: Pick<ArchivedRange, 'account' | 'beforeMs' | 'floorSequence'>,
): AsyncGenerator<StoredRow, undefined> {
  for await (const rows of readAllRows(reader, account, { pageSize: ROWS_PER_READ, beforeMs }))
    for (const row of rows) if (isArchived(row, floorSequence)) yield row;
  return undefined;
}
