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
  /** True if the transactions of a group are numbered in the order in which the group gives them. */
  readonly ordersGroups: boolean;
  /** The database refuses transactions in these currencies. */
  readonly refusedCurrencies: readonly string[];
  /** Is called before each schedule. */
  begin(random: Random): void;
  /** Holds locks, cancels recordings or kills connections, and resolves when nothing is held. */
  disturb(account: string, references: readonly string[]): Promise<void>;
  /** Resolves after the recorders had time to continue. */
  pause(): Promise<void>;
  close(): Promise<void>;
}

/** No table accepts a transaction in this currency. */
export const REFUSED_CURRENCY = 'eur';
