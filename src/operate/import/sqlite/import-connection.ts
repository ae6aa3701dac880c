import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { orUnavailable } from '../../../db/sqlite/errors.ts';
import { IN_MEMORY } from '../../../db/sqlite/open-database.ts';
import { existingFile, type OpenFile, refuseMovedFile } from '../../../db/sqlite/open-file.ts';
import { inTransaction } from '../../../db/sqlite/sqlite-db.ts';
import { checkpointLog, closeWithoutLog, makeDurable } from '../../../db/sqlite/write-ahead-log.ts';
import { whenLockIsFree } from '../../../db/sqlite/write-lock.ts';
import type { StampCommit } from '../../../ledger/changes/change.ts';
import { transactionRetrieverOn } from '../../../ledger/list/sqlite/list-transactions.ts';
import type { RecordResult } from '../../../ledger/record/record.ts';
import { resultOfWritten, transactionWriter } from '../../../ledger/record/sqlite/record-transactions.ts';
import type { ImportConnection, ImportOutcome } from '../import-connection.ts';

/** The pause after each batch, for other programs. They try to take the write lock every millisecond. */
const PAUSE_MS = 4;
/** Larger than the default, because a batch changes every index. */
const CACHE_KIB = 16_384;
const CHECKPOINT_PAGES = 4000;

export function openImportConnection(
  file: OpenFile,
  store: DatabaseSync,
  stampCommit: StampCommit,
): ImportConnection {
  const db = file.path === IN_MEMORY ? store : openConnection(file.path);
  refuseMovedFile(file);
  const writer = transactionWriter(db);
  const findAny = db.prepare('SELECT 1 FROM transactions WHERE account = ? LIMIT 1');
  const retrieve = transactionRetrieverOn(db);

  return {
    accountsInUse: async (accounts) =>
      orUnavailable(() => new Set(accounts.filter((account) => findAny.get(account) !== undefined))),
    retrieveTransactions: async (account, references) =>
      orUnavailable(() => references.flatMap((reference) => retrieve(account, reference) ?? [])),
    recordTransactions: async (transactions) => {
      const recorded = await whenLockIsFree(() => {
        refuseMovedFile(file);
        const startedAtMs = performance.now();
        const outcomes = inTransaction(db, () =>
          writer.record(transactions, undefined, stampCommit()).map(resultOfWritten).map(neverHeld),
        );
        return { outcomes, tookMs: performance.now() - startedAtMs };
      });
      refuseMovedFile(file);
      checkpointLog(db, CHECKPOINT_PAGES);
      await delay(PAUSE_MS);
      return recorded;
    },
    batchesInFlight: 1,
    close: async () => {
      if (db !== store) closeWithoutLog(db);
    },
  };
}

function neverHeld(result: RecordResult): ImportOutcome {
  if (result.outcome === 'held') throw new Error('SQLite reports no row as held');
  return result as ImportOutcome;
}

function openConnection(path: string): DatabaseSync {
  return orUnavailable(() => {
    const db = new DatabaseSync(existingFile(path));
    makeDurable(db);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`);
    return db;
  });
}
