import type { DatabaseSync } from 'node:sqlite';
import { rowReader } from '../../../db/sqlite/sqlite-db.ts';
import type { Archive } from '../archive.ts';
import { READ } from '../read-archive.ts';

/** Reads what was archived of an account, inside the caller's transaction of the database. */
export function archiveReader(db: DatabaseSync): (account: string) => Archive | undefined {
  const read = rowReader(db, READ);
  return (account) => read({ account })[0];
}
