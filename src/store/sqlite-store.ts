import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../values/store-errors.ts';
import type { OpenDatabaseOptions } from '../db/db.ts';
import { asUnavailable, isBusy } from '../db/sqlite/errors.ts';
import { IN_MEMORY } from '../db/sqlite/open-database.ts';
import { type OpenFile, type Read, refuseMovedFile, type WatchedFile } from '../db/sqlite/open-file.ts';
import { type RunSteps, sqliteDb } from '../db/sqlite/sqlite-db.ts';
import { WRITE_LOCK_RETRY_MS } from '../db/sqlite/write-lock.ts';
import { commitStamper } from '../ledger/changes/change.ts';
import { changeLister, missingChangeFinder } from '../ledger/changes/sqlite/list-changes.ts';
import { numberedLister } from '../ledger/exports/sqlite/exports.ts';
import { transactionLister } from '../ledger/list/sqlite/list-transactions.ts';
import { headsReader } from '../ledger/record/sqlite/record-transactions.ts';
import type { SealHead } from '../ledger/seals/seal.ts';
import { listedSummer, storedTotalsReader } from '../ledger/totals/sqlite/totals.ts';
import type { StoredTotalsQuery } from '../ledger/totals/total.ts';
import { openImportConnection } from '../operate/import/sqlite/import-connection.ts';
import { deliverableLister } from '../webhooks/sqlite/list-deliverable.ts';
import { callsOnDb } from './calls-on-db.ts';
import { type CallLongRead, longReadsOn, readingThread } from './reading-thread.ts';
import type { OwnCalls, Store } from './store.ts';
import { HELD, runWrites, type SendWrite, transactionRecorder, writerOn, writingThread } from './writer.ts';

export interface SqliteOptions extends OpenDatabaseOptions {
  /** If few writes are expected, no thread is started for them, because a start takes longer than a write. */
  writesRarely?: boolean;
  /** Called with an error if the file was moved, removed or replaced, and with undefined if it is back. */
  onFileChange?: (moved: StoreUnavailable | undefined) => void;
  onWaiting?: (() => void) | undefined;
  mustBeFile?: string | undefined;
}

interface OpenedOptions extends SqliteOptions {
  leastNow: () => number;
}

/** `db` must be migrated. */
export function sqliteStore(
  db: DatabaseSync,
  file: WatchedFile,
  now: () => number,
  { timeoutMs, drawNonce, writesRarely = false, leastNow }: OpenedOptions,
): Store {
  // This connection must never wait for a lock, because its thread serves requests.
  db.exec('PRAGMA busy_timeout = 0');
  // A write that must wait fails shortly before the time limit of its request.
  const waitMs = Math.ceil(timeoutMs * 0.9);
  const isInMemory = file.open.path === IN_MEMORY;
  const writing = writesRarely || isInMemory ? null : writingThread(file.open, waitMs);
  const send = writing?.send ?? writeOnCallingThread(db, file.open, waitMs);
  const run: RunSteps = ({ turn, isUnsynced = false, waitMs }, account, steps) =>
    send({ name: 'runSteps', values: [steps], turn, account, isUnsynced }, waitMs);
  const reading = isInMemory ? null : readingThread(file.open);
  const stampCommit = commitStamper(now, drawNonce);
  const readLong: CallLongRead =
    reading === null ? inMemoryLongReads(db, file.read) : (name, ...values) => reading.call({ name, values });
  return {
    ...reads(db, file.read, readLong),
    ...transactionRecorder(send, stampCommit),
    ...callsOnDb(
      sqliteDb(db, file.read, (step) => readLong('readStep', step), run),
      now,
    ),
    ...pinger(db, file),
    readClock: async () => ({ nowMs: leastNow(), isLeast: true }),
    listsOnThisThread: true,
    openImport: async () => openImportConnection(file.open, db, stampCommit),
    connectionUse: () => null,
    // No connection can be lost, so no listener is called. If the file is replaced, reads and writes fail.
    onReconnected: () => {},
    close: async () => {
      file.stop();
      await Promise.all([writing?.close(), reading?.close()]);
      if (db.isOpen) db.close();
    },
  };
}

function inMemoryLongReads(db: DatabaseSync, read: Read): CallLongRead {
  const reads = longReadsOn(db);
  let last: Promise<void> = Promise.resolve();
  return async (name, ...values) => {
    last = last.then(() => nextTurn());
    await last;
    return read<never[], never>(
      reads[name] as unknown as (...values: never[]) => never,
      ...(values as unknown as never[]),
    );
  };
}

function reads(db: DatabaseSync, read: Read, readLong: CallLongRead) {
  const reading =
    <Values extends unknown[], Result>(call: (...values: Values) => Result) =>
    async (...values: Values): Promise<Result> =>
      read(call, ...values);
  const sumListed = listedSummer(db);
  const { readFew } = storedTotalsReader(db);
  return {
    listChanges: reading(changeLister(db)),
    findMissingChanges: reading(missingChangeFinder(db)),
    readHeads: reading(headsReader(db)),
    listNumbered: reading(numberedLister(db)),
    listDeliverable: reading(deliverableLister(db)),
    ...transactionLister(db, read),
    readStoredTotals: async (query: StoredTotalsQuery) =>
      read(readFew, query) ?? readLong('readStoredTotals', query),
    sealChanges: (account: string, from: SealHead, limit: number) =>
      readLong('sealChanges', account, from, limit),
    sumListed: async (...values: Parameters<typeof sumListed>) => {
      await nextTurn();
      return read(sumListed, ...values);
    },
  };
}

function pinger(db: DatabaseSync, file: WatchedFile): Pick<OwnCalls, 'ping'> {
  const ping = db.prepare('SELECT 1 FROM schema_migrations LIMIT 1');
  return {
    ping: async () => {
      file.check();
      file.read(() => ping.get());
    },
  };
}

function writeOnCallingThread(db: DatabaseSync, file: OpenFile, usualWaitMs: number): SendWrite {
  const writer = writerOn(db);
  return async (write, waitMs = usualWaitMs) => {
    for (const giveUpAtMs = performance.now() + waitMs; ; await delay(WRITE_LOCK_RETRY_MS)) {
      try {
        refuseMovedFile(file);
        const [done] = runWrites(db, writer, [write]);
        // Checked again before the write is acknowledged: the file may have been deleted during the commit.
        refuseMovedFile(file);
        return (done as { result: unknown }).result as never;
      } catch (error) {
        if (!isBusy(error)) throw asUnavailable(error);
        if (performance.now() >= giveUpAtMs) throw new StoreUnavailable(HELD.reason, HELD.message);
      }
    }
  };
}
