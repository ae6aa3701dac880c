import type { Transaction, TransactionStatus } from './transaction.ts';

/** `transaction.` and the status that the transaction took. Each comes at most once for a transaction. */
export type ChangeType = 'transaction.pending' | 'transaction.completed' | (string & {});

/** A transaction that was recorded for the first time, or a recorded one that took another status. */
export interface Change {
  /** The number of the change within the account: 1, 2, 3 and so on, without a gap and without a repeat. */
  sequence: number;
  /**
   * Identifies the change, also in deliveries of webhooks. After a restore of the database, a transaction
   * that is recorded again has another id.
   */
  id: string;
  type: ChangeType;
  /** Null if the transaction is new. */
  previousStatus: TransactionStatus | null;
  /** UTC with milliseconds. */
  recordedAt: string;
  /** The transaction as it was right after the change. */
  transaction: Transaction;
}

/** Changes in the order of their numbers, as the service sends them. */
export interface ChangePage {
  data: Change[];
  /** The `after` of the next page. */
  lastSequence: number;
  /** The `afterId` of the next page: the id of the change `lastSequence`; null if that is 0. */
  lastId: string | null;
  /** The largest number of the account. */
  headSequence: number;
  hasMore: boolean;
}

export interface ChangeQuery {
  /** Changes with larger numbers are returned. Default: 0, all changes. */
  after?: number | undefined;
  /** The id of the change at `after`: with it, a database that was restored is noticed. */
  afterId?: string | undefined;
  /** The most changes in one response, from 1 to 1000. The service's default is 100. */
  limit?: number | undefined;
  /**
   * How many seconds the service waits for a change if there is none yet, from 0 to 30. Default: 25 of
   * `follow`, 0 of `list`.
   */
  wait?: number | undefined;
}

/** Where a feed begins, and how it reads. */
export interface FeedQuery extends ChangeQuery {
  /**
   * Computes the seal of the changes that are read, and throws SealMismatchError where it differs from that
   * of the service.
   */
  verify?: boolean | undefined;
  /** The seal at `after`, to verify what follows. Without it, a feed that verifies begins at 0. */
  seal?: string | undefined;
}
