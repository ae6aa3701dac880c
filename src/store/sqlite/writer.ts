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
  const write = writer[name] as (...values: readonly unknown[]) => unknown;
  const run = () => inTransaction(db, () => write(...values));
  return name === 'fold' ? withoutSync(db, run) : run();
}

/**
 * Runs a write whose commit does not wait for the disk. Recordings do not wait behind its sync, and the next one syncs it too. After a
 * power failure before that, the roll-up and its number are those before the write, and it is folded again.
 */
function withoutSync<Result>(db: DatabaseSync, run: () => Result): Result {
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return run();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Writes to a database in memory, on the calling thread: no other connection can reach that memory, and no disk delays it. */
export function inMemoryWrite(db: DatabaseSync): Write {
  const writer = writerOn(db);
  return async (name, ...values) => orUnavailable(() => runWrite(db, writer, name, values)) as never;
}
