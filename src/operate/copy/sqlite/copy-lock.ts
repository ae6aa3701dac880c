import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../../../db/sqlite/errors.ts';
import { StoreRefused } from '../../../values/store-errors.ts';

/** The path of the lock file. The file stays empty: its lock ends with the process, however that ends. */
const lockPathOf = (path: string) => `${path}-copy`;

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false, bigint: true })?.ino;

/**
 * Takes the lock against a second copy into a database file, and returns its release.
 *
 * Throws: StoreRefused if another copy has the lock.
 */
export function lockForCopy(path: string): () => void {
  const lockPath = lockPathOf(path);
  for (;;) {
    closeSync(openSync(lockPath, 'a', 0o600));
    const made = inodeOf(lockPath);
    const db = new DatabaseSync(lockPath, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      if (!isBusy(error)) throw error;
      throw new StoreRefused('another copy writes to it. Wait until that copy ends, or stop it.');
    }
    // A copy that ended meanwhile has removed the file, and another one can have made a new one: the lock is of no use.
    if (made !== undefined && made === inodeOf(lockPath))
      return () => {
        rmSync(lockPath, { force: true });
        db.close();
      };
    db.close();
  }
}
