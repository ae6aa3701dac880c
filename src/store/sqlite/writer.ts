import type { DatabaseSync } from 'node:sqlite';
import { type ApiKeyWriter, apiKeyWriter } from './api-keys.ts';
import { type CursorSecretWriter, cursorSecretWriter } from './cursor-secret.ts';
import { asking, inTransaction } from './database.ts';
import { type TransactionWriter, transactionWriter } from './record-transactions.ts';

/** Everything that the service writes, except imports. Each write needs a transaction that the caller holds. */
export interface Writer extends TransactionWriter, ApiKeyWriter, CursorSecretWriter {}

export type WriteName = keyof Writer;

/** Runs one write of the Writer in a transaction of its own. It is on the disk when the promise resolves. */
export type Write = <Name extends WriteName>(
  name: Name,
  ...values: Parameters<Writer[Name]>
) => Promise<ReturnType<Writer[Name]>>;

export function writerOn(db: DatabaseSync): Writer {
  return { ...transactionWriter(db), ...apiKeyWriter(db), ...cursorSecretWriter(db) };
}

/** Runs one write in a transaction, and does not wait for another program that writes. */
export function runWrite(
  db: DatabaseSync,
  writer: Writer,
  name: WriteName,
  values: readonly unknown[],
): unknown {
  const write = writer[name] as (...values: readonly unknown[]) => unknown;
  return inTransaction(db, () => write(...values));
}

/** Writes on the calling thread: the memory of one connection can't be written by another, and has no disk to wait for. */
export function inMemoryWrite(db: DatabaseSync): Write {
  const writer = writerOn(db);
  return async (name, ...values) => asking(() => runWrite(db, writer, name, values)) as never;
}
