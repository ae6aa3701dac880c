import type { DatabaseSync } from 'node:sqlite';
import { isBusy, orUnavailable } from './errors.ts';
import { sleep } from './write-lock.ts';

const MODE_CHANGE_WAIT_MS = 5000;
const MODE_CHANGE_RETRY_MS = 10;
const LOG_MAX_BYTES = 16 * 1024 * 1024;

/** Sets `secure_delete`, so that removed rows do not remain in free pages and in backups. */
export function makeDurable(db: DatabaseSync): void {
  const giveUpAtMs = performance.now() + MODE_CHANGE_WAIT_MS;
  for (;;) {
    try {
      db.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_MAX_BYTES}; PRAGMA secure_delete = ON`,
      );
      return;
    } catch (error) {
      // Only one program at a time can set the journal mode. The busy timeout does not apply to this change.
      if (!isBusy(error) || performance.now() > giveUpAtMs) throw error;
      sleep(MODE_CHANGE_RETRY_MS);
    }
  }
}

/** Copies the log into the file if at least `minPages` pages are not yet copied. Delays no other program. */
export function checkpointLog(db: DatabaseSync, minPages: number): void {
  const { log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
    log: number;
    checkpointed: number;
  };
  if (log - checkpointed >= minPages) orUnavailable(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)'));
}

export function closeWithoutLog(db: DatabaseSync): void {
  try {
    checkpointLog(db, 1);
    // Blocks writers, but only briefly, because `checkpointLog` has copied most of the log.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The checkpoint fails while a service reads. The next program that opens the file repeats it.
  }
  db.close();
}
