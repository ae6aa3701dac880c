import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../../../core/store.ts';
import type { VerifyReader } from '../../../core/verify/verify-reader.ts';
import { type Unmigrated, unappliedOf } from '../../migrations.ts';
import { explainFailure } from '../errors.ts';
import { appliedMigrations, MIGRATIONS } from '../migrate.ts';
import { refuseForeignFile } from '../open-database.ts';
import { SqliteVerifyReader } from './verify-reader.ts';

/** How long a read waits for a program that recovers the log, or closes it as its last user. */
const WAIT_MS = 10_000;
/** For the upper pages of the table and its indexes. */
const CACHE_KIB = 16_384;

/**
 * Opens a database file that exists, to verify it, or returns the migrations that it needs first.
 *
 * Throws: StoreRefused if the file can't be used.
 */
export function openSqliteVerifyReader(path: string): { reader: VerifyReader } | Unmigrated {
  const opened = openToRead(path);
  return 'db' in opened ? { reader: new SqliteVerifyReader(opened.db) } : opened;
}

/** Opens a connection that only reads. */
export function openToRead(path: string): { db: DatabaseSync } | Unmigrated {
  let db: DatabaseSync | undefined;
  try {
    refuseForeignFile(path);
    db = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS });
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const needed = unappliedOf(MIGRATIONS, appliedMigrations(db));
    if (needed === undefined) return { db };
    db.close();
    return needed;
  } catch (error) {
    if (db?.isOpen) db.close();
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  }
}
