import { formatDay } from '../../../values/calendar.ts';
import { dayOfZone, startOfDayMs } from '../../../values/time-zone.ts';
import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';

export interface Archive {
  /** The start of a UTC day. No transaction that was created before this time can be recorded. */
  beforeMs: number;
  /** The floor: changes up to this sequence number can be missing. */
  floorSequence: number;
  floorNonce: number;
  floorSeal: string;
  /** The SHA-256 of the digests of the changes that remain below the floor: see `restOf`. */
  rest: string;
  /** How many changes up to the floor are missing. */
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

/** Archived days are UTC days. A day of the time zone that is archived only in part is skipped. */
export function firstDayNotArchived(beforeMs: number, timeZone: string | null): string {
  const day = dayOfZone(timeZone, beforeMs);
  return formatDay(startOfDayMs(timeZone, day) === beforeMs ? day : day + 1);
}

/** An archive is stored before its transactions are removed, so read it after them or in their snapshot. */
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
