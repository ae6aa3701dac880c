import type { GroupResult } from '../../ledger/record/record.ts';
import type { AccountTransaction, Transaction } from '../../ledger/transaction.ts';

export type ImportOutcome = Exclude<GroupResult, { outcome: 'held' }>;

export interface ImportConnection {
  accountsInUse(accounts: readonly string[]): Promise<ReadonlySet<string>>;
  retrieveTransactions(account: string, references: readonly string[]): Promise<Transaction[]>;
  /** Waits for locks and retries after deadlocks. Between two batches, other programs can take the locks. */
  recordTransactions(transactions: readonly AccountTransaction[]): Promise<RecordedBatch>;
  readonly batchesInFlight: number;
  missingRights?(): Promise<string[]>;
  close(): Promise<void>;
}

export interface RecordedBatch {
  outcomes: ImportOutcome[];
  tookMs: number;
}
