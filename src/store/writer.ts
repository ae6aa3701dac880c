import type { DatabaseSync } from 'node:sqlite';
import type { TurnKind } from '../db/db.ts';
import { isUnavailable } from '../db/sqlite/errors.ts';
import type { OpenFile } from '../db/sqlite/open-file.ts';
import { inSavepoint, inTransaction, type SentStep, stepRunner } from '../db/sqlite/sqlite-db.ts';
import { Thread, type ThreadCall } from '../db/sqlite/thread.ts';
import type { Value } from '../db/statement.ts';
import type { StampCommit } from '../ledger/changes/change.ts';
import type { TransactionRecorder } from '../ledger/record/record.ts';
import {
  resultOfWritten,
  type TransactionWriter,
  transactionWriter,
} from '../ledger/record/sqlite/record-transactions.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';

/** All writes of the service, except imports. The caller must have begun a database transaction. */
export interface ServiceWriter extends TransactionWriter {
  runSteps(steps: readonly SentStep[]): Value[][][];
}

/** `waitMs` limits how long the write waits while another program holds the write lock. */
export type SendWrite = <Result>(write: NamedWrite, waitMs?: number) => Promise<Result>;

export function writerOn(db: DatabaseSync): ServiceWriter {
  const runStep = stepRunner(db);
  return {
    ...transactionWriter(db),
    runSteps: (steps) => steps.map(runStep),
  };
}

export interface NamedWrite {
  name: keyof ServiceWriter;
  values: readonly unknown[];
  turn: TurnKind;
  account: string | undefined;
  isUnsynced: boolean;
}

export const transactionRecorder = (send: SendWrite, stampCommit: StampCommit): TransactionRecorder => ({
  record: async (transactions, alone) => {
    const values: RecordingValues = [transactions, alone?.once, stampCommit()];
    const write = { name: 'record', values, turn: 'stream', account: undefined, isUnsynced: false } as const;
    return (await send<ReturnType<ServiceWriter['record']>>(write)).map(resultOfWritten);
  },
});

export const HELD = {
  reason: 'database_locked',
  message: 'another program holds the write lock of the database',
} as const;

export type WriteResult<Result = unknown> = { result: Result } | { error: unknown };

/** If a write fails, only that write is undone. Throws if the lock is held or nothing can be committed. */
export function runWrites(
  db: DatabaseSync,
  writer: ServiceWriter,
  writes: readonly NamedWrite[],
): WriteResult[] {
  syncCommits(
    db,
    writes.some(({ isUnsynced }) => !isUnsynced),
  );
  const run = ({ name, values }: NamedWrite) => {
    const write = writer[name] as (...values: readonly unknown[]) => unknown;
    return { result: write(...values) };
  };
  const [only] = writes;
  // A single write runs without a savepoint, because SQLite copies each changed page for a savepoint.
  if (only !== undefined && writes.length === 1)
    try {
      return inTransaction(db, () => [run(only)]);
    } catch (error) {
      if (!isOfGroup(only) || isUnavailable(error)) throw error;
    }
  return inTransaction(db, () =>
    writes.map((write) => {
      const done = runApart(db, () => run(write));
      if (!isOfGroup(write) || 'result' in done) return done;
      const values = write.values as RecordingValues;
      return runApart(db, () => ({ result: recordByAccount(db, writer, ...values) }));
    }),
  );
}

type RecordingValues = Parameters<ServiceWriter['record']>;

/** A recording with an idempotency key (`once`) is never part of a group. */
const isOfGroup = ({ name, values: [, once] }: NamedWrite) => name === 'record' && once === undefined;

/** If the totals of an account are damaged, only its recordings fail. Throws if SQLite itself fails. */
function recordByAccount(
  db: DatabaseSync,
  writer: ServiceWriter,
  ...[transactions, once, stamp]: RecordingValues
): ReturnType<ServiceWriter['record']> {
  const results: ReturnType<ServiceWriter['record']> = [];
  const indexes = Map.groupBy(transactions.keys(), (index) => transactions[index]?.account);
  for (const own of indexes.values()) {
    const given = own.map((index) => transactions[index] as AccountTransaction);
    const done = runApart(db, () => ({ result: writer.record(given, once, stamp) }));
    if ('error' in done && isUnavailable(done.error)) throw done.error;
    for (const [at, index] of own.entries())
      results[index] =
        'error' in done
          ? { outcome: 'failed', error: done.error }
          : (done.result[at] as (typeof results)[number]);
  }
  return results;
}

/** If `run` fails, only what it wrote is undone. Throws if SQLite has ended the database transaction. */
function runApart<Result>(db: DatabaseSync, run: () => WriteResult<Result>): WriteResult<Result> {
  try {
    return inSavepoint(db, run);
  } catch (error) {
    if (!db.isTransaction) throw error;
    return { error };
  }
}

const unsynced = new WeakSet<DatabaseSync>();

/** If this fails, it must throw: otherwise, a power failure could undo acknowledged writes. */
function syncCommits(db: DatabaseSync, isSynced: boolean): void {
  if (isSynced !== unsynced.has(db)) return;
  db.exec(`PRAGMA synchronous = ${isSynced ? 'FULL' : 'NORMAL'}`);
  if (isSynced) unsynced.delete(db);
  else unsynced.add(db);
}

const MAX_SHARED = 16;

/** TurnKind explains the three kinds of writes. Accounts with `account` writes take turns. */
export class WriteQueue<Write extends NamedWrite> {
  #first: Write[] = [];
  #stream: Write[] = [];
  #accounts = new Map<string, Write[]>();

  add(write: Write): void {
    this.#queueOf(write).push(write);
  }

  take(): Write[] {
    const first = this.#first.splice(0, MAX_SHARED);
    if (first.length > 0) return first;
    // A synced `stream` write does not share its commit with other `stream` writes.
    const firstSynced = this.#stream.findIndex(({ isUnsynced }) => !isUnsynced);
    const sharing = Math.min(MAX_SHARED, firstSynced === -1 ? this.#stream.length : firstSynced);
    const taken = this.#stream.splice(0, Math.max(1, sharing));
    const most = taken.length + MAX_SHARED;
    while (taken.length < most) {
      const [next] = this.#accounts;
      if (next === undefined) break;
      const [account, writes] = next;
      taken.push(writes.shift() as Write);
      this.#accounts.delete(account);
      if (writes.length > 0) this.#accounts.set(account, writes);
    }
    return taken;
  }

  putBack(taken: readonly Write[]): void {
    for (const write of taken.toReversed()) this.#queueOf(write).unshift(write);
  }

  remove(isOver: (write: Write) => boolean): Write[] {
    const removed: Write[] = [];
    const keep = (writes: readonly Write[]) => {
      removed.push(...writes.filter(isOver));
      return writes.filter((write) => !isOver(write));
    };
    this.#first = keep(this.#first);
    this.#stream = keep(this.#stream);
    this.#accounts = new Map(
      [...this.#accounts]
        .map(([account, writes]) => [account, keep(writes)] as const)
        .filter(([, { length }]) => length > 0),
    );
    return removed;
  }

  #queueOf(write: Write): Write[] {
    const { turn, account = '' } = write;
    if (turn === 'first') return this.#first;
    if (turn === 'stream') return this.#stream;
    const writes = this.#accounts.get(account) ?? [];
    this.#accounts.set(account, writes);
    return writes;
  }
}

export interface WriteCall extends NamedWrite, ThreadCall {
  name: NamedWrite['name'];
  waitMs: number;
}

/** Starts a thread at the first write, so that reads do not wait for the disk or a lock. */
export function writingThread(
  file: OpenFile,
  usualWaitMs: number,
): { send: SendWrite; close(): Promise<void> } {
  const url = new URL('./writing-thread-worker.ts', import.meta.url);
  const thread = new Thread<WriteCall>('writing', url, { workerData: file });
  return {
    send: (write, waitMs = usualWaitMs) => thread.call({ ...write, waitMs }),
    close: () => thread.close(),
  };
}
