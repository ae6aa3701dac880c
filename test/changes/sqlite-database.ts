import { DatabaseSync } from 'node:sqlite';
import { isBusy, orUnavailable } from '../../src/db/sqlite/errors.ts';
import type { ChangeReader } from '../../src/ledger/changes/change.ts';
import { commitStamper } from '../../src/ledger/record/commit-stamp.ts';
import {
  outcomeOnce,
  recordResultOf,
  type TransactionWriter,
  transactionWriter,
} from '../../src/ledger/record/sqlite/record-transactions.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { transaction } from '../rig/data/transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { REFUSED_CURRENCY, type Recorder, type ScheduleDatabase } from './schedule-database.ts';

const RECORDERS = 4;
/** How often a recorder tries to take the write lock before its time limit. */
const MAX_TRIES = 12;

/** What happens to the transaction of the database after its writes. */
type End = 'commit' | 'rollback' | 'close';

/** How many turns of the other recorders and readers pass while something is held. */
class Turns {
  random: Random | undefined;

  async pass(max: number): Promise<void> {
    for (let turns = this.random?.integer(0, max) ?? 0; turns > 0; turns--) await Promise.resolve();
  }
}

/**
 * Recorders on connections of their own to one file, on one thread: each turn is a step of one of them, so that a seed always gives the
 * same schedule. Between its writes and its commit, a recorder lets others take their turns, as other programs do.
 */
export async function openSqliteDatabase(path: string): Promise<ScheduleDatabase> {
  let now = 0;
  const clock = () => ++now;
  const { store } = await openStore(`sqlite:${path}`, clock);
  const turns = new Turns();
  const recorders = Array.from({ length: RECORDERS }, () => new SteppedRecorder({ path, turns, clock }));
  const disturber = new SteppedRecorder({ path, turns, clock });
  return {
    recorders,
    reader: store as Store & ChangeReader,
    ordersGroups: true,
    refusedCurrencies: [REFUSED_CURRENCY],
    begin: (random) => {
      turns.random = random;
      now = 0;
    },
    disturb: async (account, references) => {
      const random = turns.random as Random;
      const victim = random.pick(recorders);
      victim.nextEnd = random.pick(['rollback', 'close']);
      if (random.chance(0.5)) return;
      // Another program holds the write lock, until recorders give up or until it is killed.
      disturber.nextEnd = random.pick(['rollback', 'close']);
      disturber.maxTurns = 20 * MAX_TRIES;
      const rows = references.map((reference) => transaction(account, reference, { amountMinor: 7 }));
      await disturber
        .recordTransactions([...new Map(rows.map((row) => [row.reference, row])).values()])
        .catch(() => {});
    },
    pause: () => turns.pass(16),
    close: async () => {
      for (const recorder of [...recorders, disturber]) recorder.close();
      await store.close();
    },
  };
}

interface SteppedOptions {
  path: string;
  turns: Turns;
  clock: () => number;
}

class SteppedRecorder implements Recorder {
  nextEnd: End = 'commit';
  maxTurns = 6;
  readonly #options: SteppedOptions;
  #connection: { db: DatabaseSync; writer: TransactionWriter } | undefined;

  constructor(options: SteppedOptions) {
    this.#options = options;
  }

  #stampCommit() {
    return commitStamper(this.#options.clock)();
  }

  recordTransactions(transactions: readonly AccountTransaction[]) {
    return this.#write((writer) =>
      writer.recordTransactions(transactions, this.#stampCommit()).map(recordResultOf),
    );
  }

  recordHeld(): Promise<never> {
    return Promise.reject(new Error('SQLite reports no row as held'));
  }

  recordOnce(...[transaction, once]: Parameters<Recorder['recordOnce']>) {
    return this.#write((writer) => outcomeOnce(writer.recordOnce(transaction, once, this.#stampCommit())));
  }

  async importBatch(transactions: readonly AccountTransaction[]) {
    return (await this.recordTransactions(transactions)) as Awaited<ReturnType<Recorder['importBatch']>>;
  }

  close(): void {
    this.#connection?.db.close();
    this.#connection = undefined;
  }

  async #write<Result>(work: (writer: TransactionWriter) => Result): Promise<Result> {
    const { turns } = this.#options;
    this.#connection ??= this.#connect();
    const { db, writer } = this.#connection;
    await this.#lock(db);
    let result: Result;
    try {
      result = orUnavailable(() => work(writer));
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
    await turns.pass(this.maxTurns);
    const end = this.nextEnd;
    this.nextEnd = 'commit';
    if (end === 'commit') {
      db.exec('COMMIT');
      return result;
    }
    if (end === 'rollback') db.exec('ROLLBACK');
    else this.close();
    throw new StoreUnavailable('database_error', 'the transaction of the database was rolled back');
  }

  async #lock(db: DatabaseSync): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        if (tries === MAX_TRIES)
          throw new StoreUnavailable('database_error', 'another program holds the write lock');
      }
      await this.#options.turns.pass(8);
    }
  }

  #connect() {
    const { path } = this.#options;
    const db = new DatabaseSync(path, { timeout: 0 });
    // No schedule ends the machine, so no commit needs to wait for the disk.
    db.exec('PRAGMA synchronous = OFF');
    return { db, writer: transactionWriter(db) };
  }
}
