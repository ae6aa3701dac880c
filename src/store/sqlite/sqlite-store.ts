import type { DatabaseSync } from 'node:sqlite';
import { type Store, StoreRefused, type TransactionRecorder } from '../../core/store.ts';
import type { Migration } from '../migrations.ts';
import { apiKeyStore } from './api-keys.ts';
import { asking, explainFailure, IN_MEMORY, makeDurable, openDatabase } from './database.ts';
import { transactionFinder } from './find-transaction.ts';
import { beginImport } from './import.ts';
import { transactionLister } from './list-transactions.ts';
import { migrate, refuseOtherSchema } from './migrate.ts';
import { directRecorder } from './record-transactions.ts';
import { WritingThread } from './writing-thread.ts';

/** Room for the upper pages of the table and of every index, and for the pages that are read most. */
const CACHE_KIB = 16_384;

/**
 * Opens the store on a file, and tells which migrations that took.
 *
 * Throws: StoreRefused where the file can't be used, before anything is changed.
 */
export function openSqliteStore(path: string, now: () => number): { store: Store; migrated: Migration[] } {
  let db: DatabaseSync | undefined;
  try {
    db = openDatabase(path);
    refuseOtherSchema(db);
    makeDurable(db);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const migrated = migrate(db, now());
    return { store: sqliteStore(db, path, now), migrated };
  } catch (error) {
    db?.close();
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  }
}

/**
 * The store on a database whose schema is up to date. Reading is synchronous inside: each answer is ready at
 * once. Recording waits for the disk, on a thread of its own.
 */
function sqliteStore(db: DatabaseSync, path: string, now: () => number): Store {
  const listTransactions = transactionLister(db);
  const writingThread = path === IN_MEMORY ? null : new WritingThread(path);
  const recorder = writingThread ?? inMemoryRecorder(db);
  const ping = db.prepare('SELECT 1 FROM schema_migrations LIMIT 1');

  return {
    ...apiKeyStore(db),
    ...transactionFinder(db),
    recordTransactions: (transactions) => recorder.recordTransactions(transactions),
    recordOnce: (transaction, key) => recorder.recordOnce(transaction, key),
    listTransactions: async (question, limit) => ({
      transactions: asking(() => listTransactions(question, limit)),
    }),
    beginImport: async () => asking(() => beginImport(db)),
    keepCursorSecret: async (proposed) =>
      asking(() => {
        db.prepare(
          'INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, ?, ?) ON CONFLICT DO NOTHING',
        ).run(proposed, now());
        return (db.prepare('SELECT secret FROM cursor_secret').get() as { secret: string }).secret;
      }),
    ping: async () => {
      asking(() => ping.get());
    },
    close: async () => {
      await writingThread?.close();
      if (db.isOpen) db.close();
    },
  };
}

/** What lives in the memory of one connection can't be written by another, and there is no disk to wait for. */
function inMemoryRecorder(db: DatabaseSync): TransactionRecorder {
  const recorder = directRecorder(db);
  return {
    recordTransactions: async (transactions) => recorder.recordTransactions(transactions),
    recordOnce: async (transaction, once) => recorder.recordOnce(transaction, once),
  };
}
