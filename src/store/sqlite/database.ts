import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused, StoreUnavailable } from '../../core/store.ts';

/** 'txns' in ASCII: marks a file as this service's, also for file(1). */
export const APPLICATION_ID = 0x74786e73;

const BUSY_TIMEOUT_MS = 5000;
const BUSY_RETRY_MS = 10;
/** The pause between two tries to take the write lock. A program that writes short transactions releases the lock briefly. */
export const WRITE_LOCK_RETRY_MS = 1;
const NOTICEABLE_MS = 1000;
/** The size that the write-ahead log (WAL) is truncated to after a checkpoint. */
const LOG_MAX_BYTES = 16 * 1024 * 1024;

/** The first version without the bug in resetting a WAL. Source: sqlite.org/changes.html. */
const OLDEST_SQLITE = '3.51.3';

export const IN_MEMORY = ':memory:';

const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_CONSTRAINT = 19;
const SQLITE_NOTADB = 26;

function primaryCode(error: unknown): number | undefined {
  const { errcode } = error as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

/** Whether SQLite itself failed. False for a refused row and for a mistake in the program. */
export function isUnavailable(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && code !== SQLITE_CONSTRAINT;
}

/** Runs work on the database, and throws StoreUnavailable if SQLite fails. */
export function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new StoreUnavailable(`the database can't answer: ${(error as Error).message}`, { cause: error });
  }
}

/** Whether another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

export interface LockWait {
  /** How long to wait for the write lock of another program. Blocks the thread. */
  waitMs: number;
  /** Called once, after a second of waiting. */
  onWaiting?: (() => void) | undefined;
}

/** Runs work in a transaction that holds the write lock from its start. */
export function inTransaction<Result>(db: DatabaseSync, work: () => Result, wait?: LockWait): Result {
  if (wait === undefined) db.exec('BEGIN IMMEDIATE');
  else waitForWriteLock(db, wait);
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Begins a transaction with the write lock. Tries every millisecond while another program holds the lock: SQLite's own
 * busy handler sleeps up to 100 ms between two tries, and would starve behind a program that writes one short transaction
 * after the other.
 */
function waitForWriteLock(db: DatabaseSync, { waitMs, onWaiting }: LockWait): void {
  const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  db.exec('PRAGMA busy_timeout = 0');
  const beganAtMs = performance.now();
  let noticed = false;
  try {
    for (;;) {
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const waitedMs = performance.now() - beganAtMs;
        if (!isBusy(error) || waitedMs >= waitMs) throw error;
        if (!noticed && waitedMs >= NOTICEABLE_MS) {
          noticed = true;
          onWaiting?.();
        }
      }
      sleep(WRITE_LOCK_RETRY_MS);
    }
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Opens a database file, and creates it if it is missing.
 *
 * Throws: StoreRefused, before anything is changed, if the file belongs to another program.
 */
export function openDatabase(path: string): DatabaseSync {
  refuseOldSqlite(process.versions['sqlite']);
  if (path !== IN_MEMORY) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new StoreRefused('it is not a file.');
    if (found !== undefined && found.size > 0) refuseForeignFile(path);
    else makeFile(path);
  }
  return new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
}

/** Sets the connection so that a commit is on the disk when it returns, and readers do not wait for writers. */
export function makeDurable(db: DatabaseSync): void {
  const giveUpAtMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      db.exec(
        `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = ${LOG_MAX_BYTES}`,
      );
      return;
    } catch (error) {
      // SQLite does not wait here: only one of several programs that start at once can change the mode.
      if (primaryCode(error) !== SQLITE_BUSY || performance.now() > giveUpAtMs) throw error;
      sleep(BUSY_RETRY_MS);
    }
  }
}

/** Checkpoints the log once it has that many pages to write back. Takes no lock that readers or writers need. */
export function checkpointFrom(db: DatabaseSync, pages: number): void {
  const { log, checkpointed } = db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as {
    log: number;
    checkpointed: number;
  };
  if (log - checkpointed >= pages) orUnavailable(() => db.exec('PRAGMA wal_checkpoint(PASSIVE)'));
}

/**
 * Checkpoints the log and truncates it, unless another program reads it now. The first checkpoint blocks nobody, and leaves
 * little for the second one, which blocks writers.
 */
export function truncateLog(db: DatabaseSync): void {
  checkpointFrom(db, 1);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

export function refuseOldSqlite(version: string | undefined): void {
  const parts = (version ?? '0').split('.').map(Number);
  const oldest = OLDEST_SQLITE.split('.').map(Number);
  for (const [index, least] of oldest.entries()) {
    const part = parts[index] ?? 0;
    if (part > least) return;
    if (part < least) {
      throw new StoreRefused(
        `this Node.js includes SQLite ${version}, and ${OLDEST_SQLITE} or later is needed: install a newer Node.js.`,
      );
    }
  }
}

/** Only its owner can read the file: other users of the machine must not see payments. */
function makeFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/** Node's recursive mkdir never returns on a file system without folders to make, such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another program made it meanwhile. If it is not a folder, opening the file fails.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Reads the file through a read-only connection, which leaves a file of another program unchanged. */
function refuseForeignFile(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number };
    const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
    if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
      throw new StoreRefused('it is a SQLite database of another program. Nothing was changed.');
    }
  } finally {
    db.close();
  }
}

/** A sentence that says why a database could not be opened, and what to do. */
export function explainFailure(error: unknown): string {
  const code = primaryCode(error);
  const { code: systemCode, message } = error as NodeJS.ErrnoException;
  if (code === SQLITE_CORRUPT) return 'it is damaged. Restore it from a backup.';
  if (code === SQLITE_FULL) return 'the disk is full. Make room, and try again.';
  if (code === SQLITE_IOERR) return 'the disk fails, or is full. Check the disk of the file.';
  if (code === SQLITE_NOTADB) return 'it is not a SQLite database. Nothing was changed.';
  if (isBusy(error)) {
    return 'it is locked by another program. Stop that program, or try again when it has finished.';
  }
  const forbidden = code === SQLITE_PERM || code === SQLITE_READONLY || code === SQLITE_CANTOPEN;
  if (forbidden || systemCode === 'EACCES' || systemCode === 'EPERM') {
    return 'this user may not read and write it. Give the user permission to the file and its folder.';
  }
  return `it can't be opened: ${message}.`;
}
