import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ImportConnection,
  type ImportOutcome,
  type RecordResult,
  StoreUnavailable,
} from '../../core/store.ts';
import { TRANSACTION_COLUMNS, type TransactionRow, transactionOf } from '../transaction-row.ts';
import {
  asking,
  IN_MEMORY,
  inTransaction,
  isBusy,
  makeDurable,
  truncateLog,
  WRITE_LOCK_RETRY_MS,
  writeLogBack,
} from './database.ts';
import { transactionWriter } from './record-transactions.ts';

/** How long another program may hold the write lock. */
const WAIT_MS = 60_000;
/** For others to take the lock: they look every millisecond. */
const GAP_MS = 4;
/** Larger than the default, because a batch touches every index. */
const CACHE_KIB = 16_384;
/** Fewer than those at which the commit of another program writes the log back, and is answered after that. */
const CHECKPOINT_PAGES = 4000;

/** What an import does on a database file, on the thread that calls it and a connection of its own. */
export function openImportConnection(path: string, store: DatabaseSync): ImportConnection {
  const db = path === IN_MEMORY ? store : openConnection(path);
  const writer = transactionWriter(db);
  const holds = db.prepare('SELECT 1 FROM transactions WHERE account = ? LIMIT 1');
  const find = db.prepare(
    `SELECT ${TRANSACTION_COLUMNS} FROM transactions WHERE account = ? AND reference = ?`,
  );
  find.setReturnArrays(true);

  return {
    accountsInUse: async (accounts) =>
      asking(() => new Set(accounts.filter((account) => holds.get(account) !== undefined))),
    retrieveTransactions: async (account, references) =>
      asking(() =>
        references.flatMap((reference) => {
          const row = find.get(account, reference) as unknown as TransactionRow | undefined;
          return row === undefined ? [] : [transactionOf(row)];
        }),
      ),
    recordTransactions: async (transactions) => {
      const recorded = await whenFree(() => {
        const startedAtMs = performance.now();
        const outcomes = asking(() =>
          inTransaction(db, () => writer.recordTransactions(transactions).map(neverHeld)),
        );
        return { outcomes, tookMs: performance.now() - startedAtMs };
      });
      // Others write meanwhile: this holds no lock that they need.
      writeLogBack(db, CHECKPOINT_PAGES);
      await delay(GAP_MS);
      return recorded;
    },
    batchesInFlight: 1,
    close: async () => {
      if (db === store) return;
      try {
        truncateLog(db);
      } catch {
        // A full disk, for instance: everything is in the log, and the next program to open the file writes it back.
      }
      db.close();
    },
  };
}

function neverHeld(result: RecordResult): ImportOutcome {
  if (result.outcome === 'held') throw new Error('no row of SQLite is held by itself');
  return result;
}

function openConnection(path: string): DatabaseSync {
  return asking(() => {
    const db = new DatabaseSync(path);
    makeDurable(db);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = 0`);
    return db;
  });
}

/** Waits for the write lock between two turns of the event loop, so that a signal is heard meanwhile. */
async function whenFree<Answer>(work: () => Answer): Promise<Answer> {
  const giveUpAtMs = performance.now() + WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const busy = error instanceof StoreUnavailable && isBusy(error.cause);
      if (!busy || performance.now() > giveUpAtMs) throw error;
      await delay(WRITE_LOCK_RETRY_MS);
    }
  }
}
