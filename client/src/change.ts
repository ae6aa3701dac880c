import type { Transaction, TransactionStatus } from './transaction.ts';

/** `transaction.` followed by the new status. A transaction has at most one change of each type. */
export type ChangeType = 'transaction.pending' | 'transaction.completed' | (string & {});

/** A transaction that was recorded for the first time, or a recorded transaction whose status changed. */
export interface Change {
  /** The number of the change within the account: 1, 2, 3 and so on, without gaps or repeats. */
  sequence: number;
  /** Webhooks of the change have this id. A change that is recorded again after a restore gets a new id. */
  id: string;
  type: ChangeType;
  /** The status before the change; null if the transaction is new. */
  previousStatus: TransactionStatus | null;
  /** UTC with milliseconds. */
  recordedAt: string;
  /** The transaction as it was right after the change. */
  transaction: Transaction;
}

export interface ChangePage {
  data: Change[];
  /** The `after` of the next page. */
  lastSequence: number;
  /** The `afterId` of the next page: the id of the change `lastSequence`. Null if `lastSequence` is 0. */
  lastId: string | null;
  /** The number of the account's last change. */
  headSequence: number;
  hasMore: boolean;
}

export interface ChangeQuery {
  /** Only changes with larger numbers are sent. Default: 0, for all changes. */
  after?: number | undefined;
  /** The id of the change at `after`. It lets the service notice that its database was restored. */
  afterId?: string | undefined;
  /** The largest number of changes in one response, from 1 to 1000. The service's default is 100. */
  limit?: number | undefined;
  /** Seconds (0 to 30) to wait if there is no change yet. Default: 25 for `follow`, 0 for `list`. */
  wait?: number | undefined;
}

export interface FeedQuery extends ChangeQuery {
  /** True to compute the seal of the changes. If the service's seal differs, SealMismatchError is thrown. */
  verify?: boolean | undefined;
  /** The seal at `after`. With `verify`, it is required if `after` is above 0. */
  seal?: string | undefined;
}
