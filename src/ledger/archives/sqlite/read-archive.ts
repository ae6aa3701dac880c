import type { DatabaseSync } from 'node:sqlite';
import { type Archive, type ArchiveRow, archiveOf, READ_ARCHIVE } from '../archive.ts';

export function archiveReader(db: DatabaseSync): (account: string) => Archive | undefined {
  const read = db.prepare(READ_ARCHIVE.replace('$', '?'));
  read.setReturnArrays(true);
  return (account) => {
    const row = read.get(account) as unknown as ArchiveRow | undefined;
    return row && archiveOf(row);
  };
}
