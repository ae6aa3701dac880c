import { DatabaseSync } from 'node:sqlite';
import { type Unmigrated, unappliedOf } from '../../db/migrations.ts';
import { asRefused } from '../../db/sqlite/errors.ts';
import { appliedMigrations, MIGRATIONS } from '../../db/sqlite/migrate.ts';
import { READ_WAIT_MS, refuseForeignFile } from '../../db/sqlite/open-database.ts';
import type { VerifyReader } from '../verify-reader.ts';
import { SqliteVerifyReader } from './verify-reader.ts';

/** The upper pages of the table and its indexes fit into a cache of this size. */
const CACHE_KIB = 16_384;

export function openSqliteVerifyReader(path: string): { reader: VerifyReader } | Unmigrated {
  const opened = openToRead(path);
  return 'db' in opened ? { reader: new SqliteVerifyReader(opened.db, path) } : opened;
}

export function openToRead(path: string): { db: DatabaseSync } | Unmigrated {
  let db: DatabaseSync | undefined;
  try {
    refuseForeignFile(path);
    db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const needed = unappliedOf(MIGRATIONS, appliedMigrations(db));
    if (needed === undefined) return { db };
    db.close();
    return needed;
  } catch (error) {
    if (db?.isOpen) db.close();
    throw asRefused(error);
  }
}
