import type { DatabaseSync } from 'node:sqlite';
import { type Store, StoreRefused } from '../../core/store.ts';
import type { Migration } from '../migrations.ts';
import { apiKeyStore } from './api-keys.ts';
import { asking, explainFailure, makeDurable, openDatabase } from './database.ts';
import { transactionFinder } from './find-transaction.ts';
import { beginImport } from './import.ts';
import { transactionLister } from './list-transactions.ts';
import { migrate, refuseOtherSchema } from './migrate.ts';
import { transactionRecorder } from './record-transactions.ts';

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
    const migrated = migrate(db, now());
    return { store: sqliteStore(db, now), migrated };
  } catch (error) {
    db?.close();
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  }
}

/** The store on a database whose schema is up to date. It is synchronous inside: each answer is ready at once. */
function sqliteStore(db: DatabaseSync, now: () => number): Store {
  const listTransactions = transactionLister(db);
  const ping = db.prepare('SELECT 1 FROM schema_migrations LIMIT 1');

  return {
    ...apiKeyStore(db),
    ...transactionFinder(db),
    ...transactionRecorder(db),
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
      if (db.isOpen) db.close();
    },
  };
}
