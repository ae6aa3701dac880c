/** What was archived of an account. */
export interface Archive {
  /** The beginning of a UTC day: final transactions that were created before it were archived, and none is recorded any more. */
  beforeMs: number;
  /** The floor: the sequence number up to which changes can be missing. */
  floorSequence: number;
  /** The nonce of the change at the floor. */
  floorNonce: number;
  /** The seal of the account at the floor. */
  floorSeal: string;
  /** The SHA-256 of the digests of the changes that are left below the floor: see `restOf`. */
  rest: string;
  /** How many changes up to the floor are missing. */
  removedChanges: number;
}

export interface ArchiveReader {
  /** Undefined if nothing of the account was archived. */
  readArchive(account: string): Promise<Archive | undefined>;
}

export const ARCHIVE_COLUMNS = 'before_ms, floor_sequence, floor_nonce, floor_seal, rest, removed_changes';
export const READ_ARCHIVE = `SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = $1`;

export type ArchiveRow = [
  beforeMs: number,
  floorSequence: number,
  floorNonce: number,
  floorSeal: string,
  rest: string,
  removedChanges: number,
];

export const archiveOf = ([
  beforeMs,
  floorSequence,
  floorNonce,
  floorSeal,
  rest,
  removedChanges,
]: ArchiveRow): Archive => ({
  beforeMs,
  floorSequence,
  floorNonce,
  floorSeal,
  rest,
  removedChanges,
});

export const archiveRowOf = (archive: Archive): ArchiveRow => [
  archive.beforeMs,
  archive.floorSequence,
  archive.floorNonce,
  archive.floorSeal,
  archive.rest,
  archive.removedChanges,
];
