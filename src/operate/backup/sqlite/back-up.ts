import { backup, DatabaseSync } from 'node:sqlite';
import { type Migration, refuseUnmigrated, unappliedOf } from '../../../db/migrations.ts';
import { asRefused } from '../../../db/sqlite/errors.ts';
import { appliedMigrations, MIGRATIONS } from '../../../db/sqlite/migrate.ts';
import { READ_WAIT_MS, refuseForeignFile } from '../../../db/sqlite/open-database.ts';
import type { Disagreement } from '../../disagreement.ts';
import { checkFile, checkingThread } from '../../sqlite/check-file.ts';
import { readMark } from '../../sqlite/read-mark.ts';
import { unfinishedCopy } from '../../verify/verify.ts';

/** A step copies 8 MB. A stop signal waits for one step. */
const PAGES_PER_STEP = 2000;

export async function backUpSqlite(
  path: string,
  copyPath: string,
  onProgress: (share: number) => void,
): Promise<void> {
  let db: DatabaseSync | undefined;
  try {
    refuseForeignFile(path);
    db = new DatabaseSync(path, { readOnly: true, timeout: READ_WAIT_MS });
    // Without a snapshot, SQLite would begin the copy again whenever another program writes.
    db.exec('BEGIN');
    const unapplied = unappliedOf(MIGRATIONS, appliedMigrations(db));
    if (unapplied?.isEmpty) refuseUnmigrated(unapplied);
    await backup(db, copyPath, {
      rate: PAGES_PER_STEP,
      progress: ({ totalPages, remainingPages }) => onProgress(1 - remainingPages / totalPages),
    });
    // The copy is one file. In WAL mode, each program that reads it would create two more.
    withDatabase(copyPath, (copy) => copy.exec('PRAGMA journal_mode = DELETE'));
  } catch (error) {
    throw asRefused(error);
  } finally {
    if (db?.isOpen) db.close();
  }
}

export function pendingOfCopy(copyPath: string): readonly Migration[] {
  return withDatabase(copyPath, (db) => unappliedOf(MIGRATIONS, appliedMigrations(db))?.pending ?? []);
}

/** Checks only pages, indexes, and whether a run of "transactions copy" into the database is unfinished. */
export async function checkOlderCopy(
  copyPath: string,
  onProgress: (what: string) => void,
): Promise<Disagreement[]> {
  const mark = withDatabase(copyPath, readMark);
  const thread = checkingThread();
  try {
    const { disagreements } = await checkFile(thread, copyPath, onProgress);
    return mark?.state !== 'copying' ? disagreements : [unfinishedCopy(mark), ...disagreements];
  } finally {
    await thread.close();
  }
}

function withDatabase<Result>(path: string, work: (db: DatabaseSync) => Result): Result {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
