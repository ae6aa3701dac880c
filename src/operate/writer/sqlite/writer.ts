import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy, orUnavailable } from '../../../db/sqlite/errors.ts';
import { existingFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable, truncateLog } from '../../../db/sqlite/write-ahead-log.ts';
import { inTransaction, WRITE_LOCK_RETRY_MS } from '../../../db/sqlite/write-lock.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';

/** How long to wait for the write lock of another program. */
const WAIT_MS = 60_000;

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

  /** Waits for the write lock without blocking the event loop, which handles stop signals meanwhile. */
  async transact<Result>(work: () => Result): Promise<Result> {
    const giveUpAtMs = performance.now() + WAIT_MS;
    for (;;) {
      try {
        return orUnavailable(() => inTransaction(this.db, work));
      } catch (error) {
        const isHeld = error instanceof StoreUnavailable && isBusy(error.cause);
        if (!isHeld || performance.now() > giveUpAtMs) throw error;
        await delay(WRITE_LOCK_RETRY_MS);
      }
    }
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
