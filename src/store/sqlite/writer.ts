import type { DatabaseSync } from 'node:sqlite';
import { type ApiKeyWriter, apiKeyWriter } from './api-keys.ts';
import { type CursorSecretWriter, cursorSecretWriter } from './cursor-secret.ts';
import { orUnavailable } from './errors.ts';
import { type ExportWriter, exportWriter } from './exports.ts';
import { type TotalsWriter, totalsWriter } from './fold-totals.ts';
import { type TransactionNumberer, transactionNumberer } from './number-transactions.ts';
import { type TransactionWriter, transactionWriter } from './record-transactions.ts';
import { inTransaction } from './write-lock.ts';

/** Everything that the service writes, except imports. Each write runs inside the caller's transaction of the database. */
export interface Writer
  extends TransactionWriter,
    TransactionNumberer,
    TotalsWriter,
    ExportWriter,
    ApiKeyWriter,
    CursorSecretWriter {}

export type WriteName = keyof Writer;

/** Runs one write of the Writer in its own transaction, which is on the disk when the promise resolves. */
export type Write = <Name extends WriteName>(
  name: Name,
  ...values: Parameters<Writer[Name]>
) => Promise<ReturnType<Writer[Name]>>;

export function writerOn(db: DatabaseSync): Writer {
  return {
    ...transactionWriter(db),
    ...transactionNumberer(db),
    ...totalsWriter(db),
    ...exportWriter(db),
    ...apiKeyWriter(db),
    ...cursorSecretWriter(db),
  };
}

/** Runs one write in a transaction. Throws at once if another program holds the write lock. */
export function runWrite(
  db: DatabaseSync,
  writer: Writer,
  name: WriteName,
  values: readonly unknown[],
): unknown {
  syncCommits(db, name !== 'fold');
  const write = writer[name] as (...values: readonly unknown[]) => unknown;
  return inTransaction(db, () => write(...values));
}

/** Connections whose commits do not wait for the disk. */
const unsynced = new WeakSet<DatabaseSync>();

/**
 * Sets whether the next commit waits for the disk. That of a fold does not: recordings do not wait behind its sync, and the next one
 * syncs it too. After a power failure before that, the roll-up and its number are those before the fold, and it is folded again.
 *
 * Set before a write, not back after a fold: if that failed, recordings would be lost in a power failure. Here, they fail.
 */
function syncCommits(db: DatabaseSync, isSynced: boolean): void {
  if (isSynced !== unsynced.has(db)) return;
  db.exec(`PRAGMA synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`);
  if (isSynced) unsynced.delete(db);
  else unsynced.add(db);
}

/** Writes to a database in memory, on the calling thread: no other connection can reach that memory, and no disk delays it. */
export function inMemoryWrite(db: DatabaseSync): Write {
  const writer = writerOn(db);
  return async (name, ...values) => orUnavailable(() => runWrite(db, writer, name, values)) as never;
}
