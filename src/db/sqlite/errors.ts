import { sentence } from '../../../values/sentence.ts';
import { movedAway, StoreRefused, StoreUnavailable } from '../../../values/store-errors.ts';

const SQLITE_ERROR = 1;
const SQLITE_PERM = 3;
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_TOOBIG = 18;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const SQLITE_MISUSE = 21;
const SQLITE_RANGE = 25;
const SQLITE_NOTADB = 26;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_CONSTRAINT_TRIGGER = 1811;

/** The error text of the triggers in a database that is marked as moved, or as the target of a copy. */
export const MOVED = 'the data was moved to another database, or is being copied into this one';

const isMoved = (error: unknown) => {
  const { errcode, message } = (error ?? {}) as { errcode?: number; message?: string };
  return errcode === SQLITE_CONSTRAINT_TRIGGER && message === MOVED;
};

function primaryCode(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

const MISTAKES: ReadonlySet<number> = new Set([
  SQLITE_ERROR,
  SQLITE_TOOBIG,
  SQLITE_CONSTRAINT,
  SQLITE_MISMATCH,
  SQLITE_MISUSE,
  SQLITE_RANGE,
]);

/** False if SQLite refused a row, or if the program made a mistake. */
export function isUnavailable(error: unknown): boolean {
  const code = primaryCode(error);
  return code !== undefined && (!MISTAKES.has(code) || isMoved(error));
}

export function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

export function asUnavailable(error: unknown): unknown {
  if (!isUnavailable(error)) return error;
  if (isMoved(error)) return movedAway(error);
  const reason = isBusy(error) ? 'database_locked' : 'database_error';
  const message = `the database can't answer: ${(error as Error).message}`;
  return new StoreUnavailable(reason, message, { cause: error });
}

export function isBusy(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

export function isDuplicate(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === SQLITE_CONSTRAINT_UNIQUE;
}

export function isDamaged(error: unknown): boolean {
  const code = primaryCode(error);
  return code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
}

export const asRefused = (error: unknown): StoreRefused =>
  error instanceof StoreRefused ? error : new StoreRefused(explainSqliteError(error), { cause: error });

function explainSqliteError(error: unknown): string {
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
  return `it can't be opened: ${sentence(message)}`;
}
