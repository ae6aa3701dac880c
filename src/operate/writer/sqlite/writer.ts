import { DatabaseSync } from 'node:sqlite';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { existingFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { inTransaction, whenLockIsFree } from '../../../db/sqlite/write-lock.ts';

/** Short transactions of the database of a command, on the calling thread and on a connection of its own. */
export class SqliteWriter {
  readonly db: DatabaseSync;

  /** Throws: StoreUnavailable. */
  constructor(path: string) {
    this.db = orUnavailable(() => {
      const opened = new DatabaseSync(existingFile(path), { timeout: 0 });
      makeDurable(opened);
      return opened;
    });
  }

  transact<Result>(work: () => Result): Promise<Result> {
    return whenLockIsFree(() => inTransaction(this.db, work));
  }

  end(): void {
    try {
      truncateLog(this.db);
    } catch {
      // A service reads: the next program that opens the file checkpoints it.
    }
    this.db.close();
  }
}
