import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreRefused } from '../../../../values/store-errors.ts';
import type { Unmigrated } from '../../../db/migrations.ts';
import { asRefused, isBusy } from '../../../db/sqlite/errors.ts';
import { existingFile } from '../../../db/sqlite/open-file.ts';
import { makeDurable } from '../../../db/sqlite/write-ahead-log.ts';
import { openToRead } from '../../sqlite/open-verify-reader.ts';
import { SqliteVerifyReader } from '../../sqlite/verify-reader.ts';
import { STORED_COLUMN_LIST, type StoredRow, type StoredValues, storedRowOf } from '../../stored-rows.ts';
import {
  type AccountHead,
  accountHeadOf,
  type ChangeRange,
  type CopyReader,
  HEADS,
  type HeadValues,
} from '../copy-reader.ts';
import type { CopyTarget } from '../copy-target.ts';
import { sqliteCopyTarget } from './copy-target.ts';

export function openSqliteCopyReader(path: string): { reader: CopyReader } | Unmigrated {
  const opened = openToRead(path);
  return 'db' in opened ? { reader: new SqliteCopyReader(opened.db, path) } : opened;
}

export function openSqliteCopyTarget(path: string): CopyTarget {
  try {
    const release = lockForCopy(path);
    return sqliteCopyTarget(openTarget(path), path, release);
  } catch (error) {
    throw asRefused(error);
  }
}

/** The cache is large, because rows that are copied change the pages of all indexes again and again. */
const CACHE_KIB = 32_768;
/** 64 MiB. A page that changes in many commits is written back only once, at the checkpoint. */
const CHECKPOINT_PAGES = 16_384;

function openTarget(path: string): DatabaseSync {
  const db = new DatabaseSync(existingFile(path), { timeout: 0 });
  makeDurable(db);
  // With NORMAL, a power failure can undo the last commits. The next run then copies their changes again.
  db.exec(
    `PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA synchronous = NORMAL`,
  );
  return db;
}

/** The lock file stays empty. Its lock ends with the process, however the process ends. */
const lockPathOf = (path: string) => `${path}-copy`;

const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false, bigint: true })?.ino;

function lockForCopy(path: string): () => void {
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
    // Another run that ends may have removed the file since `openSync`. A lock on a removed file keeps no run
    // out. So the loop tries again.
    if (made !== undefined && made === inodeOf(lockPath))
      return () => {
        rmSync(lockPath, { force: true });
        db.close();
      };
    db.close();
  }
}

const CHANGED = `SELECT ${STORED_COLUMN_LIST} FROM transactions INDEXED BY transactions_by_pending_sequence
WHERE account = ?1 AND pending_sequence > ?2 AND pending_sequence <= ?3
UNION ALL
SELECT ${STORED_COLUMN_LIST} FROM transactions INDEXED BY transactions_by_final_sequence
WHERE account = ?1 AND final_sequence > ?2 AND final_sequence <= ?3 AND (pending_sequence IS NULL OR pending_sequence <= ?2)`;

const HEADS_BETWEEN = `${HEADS} WHERE accounts.account > ? AND accounts.account <= ? ORDER BY accounts.account LIMIT ? + 0`;

class SqliteCopyReader extends SqliteVerifyReader implements CopyReader {
  async readIdentity(): Promise<string> {
    const { dev, ino } = statSync(this.path, { bigint: true });
    return `sqlite ${dev} ${ino}`;
  }

  async listHeads(...range: Parameters<CopyReader['listHeads']>): Promise<AccountHead[]> {
    return this.all<HeadValues>(HEADS_BETWEEN, range).map(accountHeadOf);
  }

  async findHead(account: string): Promise<AccountHead | undefined> {
    return this.all<HeadValues>(`${HEADS} WHERE accounts.account = ?`, [account]).map(accountHeadOf)[0];
  }

  async readChanges(ranges: readonly ChangeRange[]): Promise<StoredRow[][]> {
    return ranges.map(({ account, after, upTo }) =>
      this.all<StoredValues>(CHANGED, [account, after, upTo]).map(storedRowOf),
    );
  }
}
