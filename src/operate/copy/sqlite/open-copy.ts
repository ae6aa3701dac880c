import type { Unmigrated } from '../../../db/migrations.ts';
import { openToRead } from '../../verify/sqlite/open-verify-reader.ts';
import type { CopyReader } from '../copy-reader.ts';
import type { CopyTarget } from '../copy-target.ts';
import { lockForCopy } from './copy-lock.ts';
import { SqliteCopyReader } from './copy-reader.ts';
import { SqliteCopyTarget } from './copy-target.ts';

/**
 * Opens a database file that exists, to copy it or to compare it, or returns the migrations that it needs first.
 *
 * Throws: StoreRefused if the file can't be used.
 */
export function openSqliteCopyReader(path: string): { reader: CopyReader } | Unmigrated {
  const opened = openToRead(path);
  return 'db' in opened ? { reader: new SqliteCopyReader(opened.db, path) } : opened;
}

/**
 * Opens a database file whose schema is up to date as the target of a copy.
 *
 * Throws: StoreRefused if another copy writes to it.
 */
export function openSqliteCopyTarget(path: string): CopyTarget {
  return new SqliteCopyTarget(path, lockForCopy(path));
}
