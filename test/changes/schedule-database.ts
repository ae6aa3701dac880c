import type { ChangeReader } from '../../src/ledger/changes/change.ts';
import type { TransactionLister } from '../../src/ledger/list/list.ts';
import type { TransactionRecorder } from '../../src/ledger/record/record.ts';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import type { ImportOutcome } from '../../src/operate/import/import-connection.ts';
import type { Random } from '../rig/run/random.ts';

/** An instance of the service, with its own connections. */
export interface Recorder extends TransactionRecorder {
  importBatch(transactions: readonly AccountTransaction[]): Promise<ImportOutcome[]>;
}

/** A database with recorders. Each schedule uses some of them, on its own accounts. */
export interface ScheduleDatabase {
  readonly recorders: readonly Recorder[];
  readonly reader: Pick<ChangeReader, 'listChanges'> & TransactionLister;
  /** True if the transactions of a group get their numbers in the group's order. */
  readonly ordersGroups: boolean;
  /** Currencies whose transactions the database refuses. */
  readonly refusedCurrencies: readonly string[];
  /** Called before each schedule. */
  begin(random: Random): void;
  /** Holds locks, cancels recordings or kills connections, and resolves when nothing is held. */
  disturb(account: string, references: readonly string[]): Promise<void>;
  /** Resolves when the recorders have had time to continue. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** No table accepts a transaction in this currency. */
export const REFUSED_CURRENCY = 'eur';
