import { backup, DatabaseSync } from 'node:sqlite';
import { type Migration, unappliedOf } from '../../../db/migrations.ts';
import { explainFailure } from '../../../db/sqlite/errors.ts';
import { appliedMigrations, MIGRATIONS } from '../../../db/sqlite/migrate.ts';
import { refuseForeignFile } from '../../../db/sqlite/open-database.ts';
import { StoreRefused } from '../../../values/store-errors.ts';

/** How long a read waits for a program that recovers the log, or closes it as its last user. */
const WAIT_MS = 10_000;
/** 8 MB: a stop signal waits for one step. */
const PAGES_PER_STEP = 2000;

/**
 * Copies a database file as it is at one moment into an empty file, while others write to it.
 *
 * Throws: StoreRefused if the file can't be read, or the copy can't be written.
 */
export async function backUpSqlite(
  path: string,
  copyPath: string,
  onProgress: (share: number) => void,
): Promise<void> {
  let db: DatabaseSync | undefined;
  try {
    refuseForeignFile(path);
    db = new DatabaseSync(path, { readOnly: true, timeout: WAIT_MS });
    // Begins the snapshot. Without one, SQLite would begin the copy again whenever another program writes.
    db.exec('BEGIN');
    // A database of a later version is refused.
    unappliedOf(MIGRATIONS, appliedMigrations(db));
    await backup(db, copyPath, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
    });
    // One file holds everything: readers of a write-ahead log would leave two more beside it.
    withDatabase(copyPath, (copy) => copy.exec('PRAGMA journal_mode = DELETE'));
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  } finally {
    if (db?.isOpen) db.close();
  }
}

/** The migrations that a copy lacks. */
export function pendingOfCopy(copyPath: string): readonly Migration[] {
  return withDatabase(copyPath, (db) => unappliedOf(MIGRATIONS, appliedMigrations(db))?.pending ?? []);
}

/** What SQLite finds in the pages and indexes of a copy, at most 100 lines; none if they agree. */
export function checkPages(copyPath: string): string[] {
  return withDatabase(copyPath, (db) =>
    db
      .prepare('PRAGMA integrity_check')
      .all()
      .map((row) => String(row['integrity_check']))
      .filter((line) => line !== 'ok'),
  );
}

function withDatabase<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
