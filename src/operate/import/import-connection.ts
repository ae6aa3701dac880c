import type { GroupResult } from '../../ledger/record/record.ts';
import type { AccountTransaction, Transaction } from '../../ledger/transaction.ts';

/** The outcome `held` is missing, because an import waits for held rows. */
export type ImportOutcome = Exclude<GroupResult, { outcome: 'held' }>;

/** The queries and writes of an import. Their time limits are longer than a request's. */
export interface ImportConnection {
  accountsInUse(accounts: readonly string[]): Promise<ReadonlySet<string>>;
  retrieveTransactions(account: string, references: readonly string[]): Promise<Transaction[]>;
  /** Waits for locks, retries after deadlocks, and lets other writers work before it resolves. */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordedBatch>;
  /** How many batches can be in flight, so that the database never waits for one. */
  readonly batchesInFlight: number;
  /** The rights that the user lacks for recording, found without writing. Absent without database users. */
  missingRights?(): Promise<string[]>;
  close(): Promise<void>;
}

export interface RecordedBatch {
  outcomes: ImportOutcome[];
  /** The longest time that this batch could have kept other writers waiting. */
  tookMs: number;
}
