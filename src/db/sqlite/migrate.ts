import type { DatabaseSync } from 'node:sqlite';
import {
  type AppliedMigration,
  type Migration,
  pendingMigrations,
  readMigrations,
  type Unmigrated,
  unmigratedOf,
} from '../migrations.ts';
import { APPLICATION_ID } from './open-database.ts';
import { inTransaction } from './sqlite-db.ts';
import type { LockWait } from './write-lock.ts';

export const MIGRATIONS: readonly Migration[] = readMigrations(new URL('./migrations/', import.meta.url));

export function appliedMigrations(db: DatabaseSync): AppliedMigration[] {
  const table = db
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migrations'")
    .get();
  if (table === undefined) return [];
  return db
    .prepare('SELECT version, checksum FROM schema_migrations ORDER BY version')
    .all() as unknown as AppliedMigration[];
}

export function unmigrated(db: DatabaseSync): Unmigrated | undefined {
  return unmigratedOf(MIGRATIONS, appliedMigrations(db));
}

/** Migrates in one transaction under the write lock, because several programs can start at once. */
export function migrate(
  db: DatabaseSync,
  nowMs: number,
  wait: LockWait,
  known: readonly Migration[] = MIGRATIONS,
): Migration[] {
  if (pendingMigrations(known, appliedMigrations(db)).length === 0) return [];
  const applyPending = () => {
    db.exec(
      `PRAGMA application_id = ${APPLICATION_ID};
       CREATE TABLE IF NOT EXISTS schema_migrations (
         version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at_ms INTEGER NOT NULL
       ) STRICT`,
    );
    const pending = pendingMigrations(known, appliedMigrations(db));
    const insert = db.prepare(
      'INSERT INTO schema_migrations (version, name, checksum, applied_at_ms) VALUES (?, ?, ?, ?)',
    );
    for (const { version, name, sql, checksum } of pending) {
      db.exec(sql);
      insert.run(version, name, checksum, nowMs);
    }
    return pending;
  };
  return inTransaction(db, applyPending, wait);
}
