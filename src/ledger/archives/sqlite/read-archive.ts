import type { DatabaseSync } from 'node:sqlite';
import { ARCHIVE_COLUMNS, type Archive, type ArchiveRow, archiveOf } from '../archive.ts';

export const READ_ARCHIVE = `SELECT ${ARCHIVE_COLUMNS} FROM archives WHERE account = ?`;

export function archiveReader(db: DatabaseSync): (account: string) => Archive | undefined {
  const read = db.prepare(READ_ARCHIVE);
  read.setReturnArrays(true);
  return (account) => {
    const row = read.get(account) as unknown as ArchiveRow | undefined;
    return row && archiveOf(row);
  };
}
