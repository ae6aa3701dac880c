import { formatDay } from '../../../values/calendar.ts';
import { dayOfZone, startOfDayMs } from '../../../values/time-zone.ts';
import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';

export interface Archive {
  /** The start of a UTC day. No transaction that was created before this time can be recorded. */
  beforeMs: number;
  /** Changes up to this sequence number, the floor, may have been removed. */
  floorSequence: number;
  floorNonce: number;
  floorSeal: string;
  /** The digest of the changes up to `floorSequence` that were not archived. */
  rest: string;
  removedChanges: number;
}

export interface ArchiveReader {
  readArchive(account: string): Promise<Archive | undefined>;
}

export const ARCHIVE_COLUMNS = 'before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes';

export const archiveValues = (archive: Archive) => [
  archive.beforeMs,
  archive.floorSequence,
  archive.floorNonce,
  archive.floorSeal,
  archive.rest,
  archive.removedChanges,
];

/** If `beforeMs`, a midnight in UTC, falls within a day of the time zone, that day is partly archived. */
export function firstDayNotArchived(beforeMs: number, timeZone: string | null): string {
  const day = dayOfZone(timeZone, beforeMs);
  return formatDay(startOfDayMs(timeZone, day) === beforeMs ? day : day + 1);
}

/**
 * Callers must read `archive` after the transactions, or in the same snapshot. Otherwise, transactions that
 * are archived in between would be missing, and `archivedBefore` would not say so.
 */
export function archivedBefore(
  archive: Pick<Archive, 'beforeMs'> | undefined,
  { fromMs, timeZone }: { fromMs: number | null; timeZone: string | null },
): { archivedBefore?: string } {
  if (archive === undefined || (fromMs !== null && fromMs >= archive.beforeMs)) return {};
  return { archivedBefore: firstDayNotArchived(archive.beforeMs, timeZone) };
}

const sql = statementsOf(new URL('./archives.sql', import.meta.url));
export const READ_ARCHIVE = sql(
  'readArchive',
  (row): Archive => ({
    beforeMs: row.integer(),
    floorSequence: row.integer(),
    floorNonce: row.integer(),
    floorSeal: row.text(),
    rest: row.text(),
    removedChanges: row.integer(),
  }),
);

export const archiveReader = (db: Db): ArchiveReader => ({
  readArchive: async (account) => (await db.read(READ_ARCHIVE, { account }))[0],
});
