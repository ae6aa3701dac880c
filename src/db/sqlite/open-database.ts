import { closeSync, existsSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../../../values/store-errors.ts';

/** The ASCII text 'txns'. It marks a file as a database of this service, also for the command file(1). */
export const APPLICATION_ID = 0x74786e73;

export const IN_MEMORY = ':memory:';

/** How long a read waits while another program recovers or closes the log. */
export const READ_WAIT_MS = 10_000;

const BUSY_TIMEOUT_MS = 5000;

/** The first version in which resetting a write-ahead log has no bug. Source: sqlite.org/changes.html. */
const OLDEST_SQLITE = '3.51.3';

/** Creates a missing file. Throws: StoreRefused if the file belongs to another program. */
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

export function refuseOldSqlite(version = '0'): void {
  if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) >= 0) return;
  throw new StoreRefused(
    `this Node.js includes SQLite ${version}, and ${OLDEST_SQLITE} or later is needed: install Node.js 24.15 or later.`,
  );
}

/** Only the owner may read the file, because other users of the machine must not see payments. */
const OWNER_ONLY = 0o600;

function makeFile(path: string): void {
  refuseLeftLog(path);
  makeFolder(dirname(path));
  const made = process.getuid?.() === 0 ? makeForOwner(path) : undefined;
  closeSync(made ?? openSync(path, 'a', OWNER_ONLY));
}

/**
 * Creates the file as root, and gives it to the owner of its folder. If the path is already a file or a link,
 * returns undefined and changes no owner.
 */
function makeForOwner(path: string): number | undefined {
  try {
    const file = openSync(path, 'ax', OWNER_ONLY);
    const { uid, gid } = statSync(dirname(path));
    fchownSync(file, uid, gid);
    return file;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

/** Refuses a missing or empty file whose log has recordings, because SQLite would remove the log. */
function refuseLeftLog(path: string): void {
  const log = `${path}-wal`;
  // A program that creates the database makes the file, then the log. If the size of the file were read
  // first, another program could make both between the two reads.
  if (sizeOf(log) > 0 && sizeOf(path) === 0)
    throw new StoreRefused(
      `${resolve(path)} is missing or empty, but ${resolve(log)} has the last recordings. Put the file back, or move the log away too.`,
    );
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Node's recursive mkdir is not used, because it never returns in a folder such as /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another program made the folder. If the path is not a folder, opening the database file will fail.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Opens the file as read-only, so that a file of another program stays unchanged. */
export function refuseForeignFile(path: string): void {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // Both values are read in one snapshot, because another process can be creating the tables now.
    db.exec('BEGIN');
    const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number };
    const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
    if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
      throw new StoreRefused('it is a SQLite database of another program. Nothing was changed.');
    }
  } finally {
    db.close();
  }
}
