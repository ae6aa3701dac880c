import type { DatabaseSync } from 'node:sqlite';
import { type Store, StoreRefused } from '../../core/store.ts';
import type { Migration, Unmigrated } from '../migrations.ts';
import { apiKeyReader } from './api-keys.ts';
import { cursorSecretReader } from './cursor-secret.ts';
import { asking, explainFailure, IN_MEMORY, makeDurable, openDatabase } from './database.ts';
import { openImportConnection } from './import-connection.ts';
import { transactionLister } from './list-transactions.ts';
import { migrate, unmigrated } from './migrate.ts';
import { transactionRetriever } from './retrieve-transaction.ts';
import { inMemoryWrite } from './writer.ts';
import { WritingThread } from './writing-thread.ts';

/** Room for the upper pages of the table and of every index, and for the pages that are read most. */
const CACHE_KIB = 16_384;
/** How long a program that starts waits for another one that writes. */
const OPENING_WAIT_MS = 60_000;

export interface SqliteOptions {
  /** How long one query or write may take. */
  timeoutMs: number;
  /** Called where opening has to wait for another program that writes. */
  onWaiting?: (() => void) | undefined;
}

/**
 * Opens the store on a file, and returns the migrations that it applied.
 *
 * Throws: StoreRefused where the file can't be used, before anything is changed.
 */
export function openSqliteStore(
  path: string,
  now: () => number,
  { timeoutMs, onWaiting }: SqliteOptions,
): { store: Store; migrated: Migration[] } {
  return opening(path, (db) => {
    unmigrated(db);
    makeDurable(db);
    const migrated = migrate(db, now(), { waitMs: OPENING_WAIT_MS, onWaiting });
    return { migrated, store: sqliteStore(db, { path, now, timeoutMs }) };
  });
}

/**
 * Opens the store on a file that exists, where its schema is up to date. Changes nothing.
 *
 * Throws: StoreRefused where the file can't be used.
 */
export function openSqliteStoreWithoutMigrating(
  path: string,
  now: () => number,
  { timeoutMs }: SqliteOptions,
): { store: Store } | Unmigrated {
  return opening(path, (db) => {
    const needed = unmigrated(db);
    if (needed !== undefined) {
      db.close();
      return needed;
    }
    makeDurable(db);
    return { store: sqliteStore(db, { path, now, timeoutMs }) };
  });
}

function opening<Answer>(path: string, work: (db: DatabaseSync) => Answer): Answer {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    return work(db);
  } catch (error) {
    db?.close();
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  }
}

interface Opened {
  path: string;
  now: () => number;
  timeoutMs: number;
}

/**
 * The store on a database whose schema is up to date. Reading is synchronous inside: each answer is ready at
 * once. Every write waits for the disk and for other programs, on a thread of its own.
 */
function sqliteStore(db: DatabaseSync, { path, now, timeoutMs }: Opened): Store {
  // From here on it only reads, on the thread that answers requests, and waits for nobody.
  db.exec('PRAGMA busy_timeout = 0');
  const listTransactions = transactionLister(db);
  // A write is given up a little before the request that asked for it.
  const writingThread = path === IN_MEMORY ? null : new WritingThread(path, Math.ceil(timeoutMs * 0.9));
  const write = writingThread?.write ?? inMemoryWrite(db);
  const readCursorSecret = cursorSecretReader(db);
  const ping = db.prepare('SELECT 1 FROM schema_migrations LIMIT 1');

  return {
    ...apiKeyReader(db),
    ...transactionRetriever(db),
    createApiKey: (key) => write('createApiKey', key),
    revokeApiKey: (id, nowMs) => write('revokeApiKey', id, nowMs),
    touchApiKeys: (uses) => write('touchApiKeys', uses),
    recordTransactions: (transactions) => write('recordTransactions', transactions),
    recordHeld: () => Promise.reject(new Error('SQLite reports no row as held')),
    recordOnce: (transaction, once) => write('recordOnce', transaction, once),
    listTransactions: async (question, limit) => ({
      transactions: asking(() => listTransactions(question, limit)),
    }),
    openImport: async () => openImportConnection(path, db),
    storeCursorSecret: async (proposed) =>
      asking(readCursorSecret) ?? (await write('storeCursorSecret', proposed, now())),
    ping: async () => {
      asking(() => ping.get());
    },
    connectionUse: () => null,
    close: async () => {
      await writingThread?.close();
      if (db.isOpen) db.close();
    },
  };
}
