import type { DatabaseSync } from 'node:sqlite';
import { isBusy, orUnavailable } from './errors.ts';
import { sleep } from './write-lock.ts';

const MODE_CHANGE_WAIT_MS = 5000;
const MODE_CHANGE_RETRY_MS = 10;
/** To which size the write-ahead log is truncated after a checkpoint. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;

/**
 * Configures a connection so that a commit is on disk when it returns, and readers do not wait for writers.
 * Removed rows are overwritten with zeros. Otherwise they would remain in free pages and in backups.
 */
export function makeDurable(db: DatabaseSync): void {
  const giveUpAtMs = performance.now() + MODE_CHANGE_WAIT_MS;
  for (;;) {
    try {
      db.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_MAX_BYTES}; PRAGMA secure_delete = ON`,
      );
      return;
    } catch (error) {
      // Tried again, because SQLite's busy timeout does not apply to this change, which only one program at a
      // time can make.
      if (!isBusy(error) || performance.now() > giveUpAtMs) throw error;
      sleep(MODE_CHANGE_RETRY_MS);
    }
  }
}

/**
 * Checkpoints the log if at least `minPages` of its pages are not yet in the database file. Takes no lock
 * that readers or writers need.
 */
export function checkpointLog(db: DatabaseSync, minPages: number): void {
  const { log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
    log: number;
    checkpointed: number;
  };
  if (log - checkpointed >= minPages) orUnavailable(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)'));
}

/**
 * Checkpoints the log and truncates it, unless another program reads it now. The first checkpoint blocks no
 * other program. It leaves little work for the second one, which blocks writers.
 */
export function truncateLog(db: DatabaseSync): void {
  checkpointLog(db, 1);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}
