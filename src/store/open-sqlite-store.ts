import type { DatabaseSync } from 'node:sqlite';
import type { Migration, Unmigrated } from '../db/migrations.ts';
import { asRefused } from '../db/sqlite/errors.ts';
import { migrate, unmigrated } from '../db/sqlite/migrate.ts';
import { openDatabase } from '../db/sqlite/open-database.ts';
import { leastTime, refuseOtherFile, WatchedFile } from '../db/sqlite/open-file.ts';
import { makeDurable } from '../db/sqlite/write-ahead-log.ts';
import { refuseMarked } from '../operate/copy-mark.ts';
import { readMark } from '../operate/sqlite/read-mark.ts';
import { type SqliteOptions, sqliteStore } from './sqlite-store.ts';
import type { Store } from './store.ts';

/** Enough for the upper pages of the table and its indexes, and for frequently read pages. */
const CACHE_KIB = 16_384;
const OPENING_WAIT_MS = 60_000;

export function openSqliteStore(
  path: string,
  now: () => number,
  options: SqliteOptions,
  { mayMigrate }: { mayMigrate: boolean },
): { store: Store; migrated: Migration[]; file: string | undefined } | Unmigrated {
  return withDatabase(path, (db) => {
    if (options.mustBeFile !== undefined) refuseOtherFile(path, options.mustBeFile);
    const leastNow = leastTime(path);
    const needed = unmigrated(db);
    if (needed !== undefined && !mayMigrate) {
      db.close();
      return needed;
    }
    makeDurable(db);
    const migrated = migrate(db, now(), { waitMs: OPENING_WAIT_MS, onWaiting: options.onWaiting });
    if (options.isCopyTarget !== true) refuseMarked(readMark(db));
    // Created after the first read, because the files of the log exist only then, and are watched too.
    const file = new WatchedFile(path, options.onFileChange);
    return { migrated, store: sqliteStore(db, file, now, { ...options, leastNow }), file: file.identity };
  });
}

function withDatabase<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    return work(db);
  } catch (error) {
    db?.close();
    throw asRefused(error);
  }
}
