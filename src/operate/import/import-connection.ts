import type { GroupResult } from '../../ledger/record/record.ts';
import type { AccountTransaction, Transaction } from '../../ledger/transaction.ts';

/** An import waits for held rows. */
export type ImportOutcome = Exclude<GroupResult, { outcome: 'held' }>;

/** The queries and writes of an import. Their time limits are longer than a request's. */
export interface ImportConnection {
  accountsInUse(accounts: readonly string[]): Promise<ReadonlySet<string>>;
  /** The transactions of an account with these references, in any order. */
  retrieveTransactions(account: string, references: readonly string[]): Promise<Transaction[]>;
  /**
   * Records like TransactionRecorder, and lets other writers work before it resolves. Waits for locks and
   * retries after deadlocks.
   */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordedBatch>;
  /** How many batches can be in flight, so that the database always has the next one. */
  readonly batchesInFlight: number;
  /** The rights for recording that the database user lacks, found without writing. Absent without users. */
  missingRights?(): Promise<string[]>;
  close(): Promise<void>;
}

export interface RecordedBatch {
  outcomes: ImportOutcome[];
  /** The longest time that other writers could wait for this batch. */
  tookMs: number;
}
