import type { Transaction } from '../transaction.ts';
import type { ListFilter } from './list-filter.ts';

/** A place in a list: the transactions after it are older, or of the same time with a smaller reference. */
export interface Position {
  createdAtMs: number;
  reference: string;
  /**
   * The position in the database's log at which the page before was read, as the store writes it. The next page is read
   * at the same position or a later one. Absent if the store reads a single database.
   */
  logPosition?: string;
}

/** Before every transaction: the last time that one can have is in the year 9999. */
export const NEWEST: Position = { createdAtMs: Number.MAX_SAFE_INTEGER, reference: '' };

/** The result of a list query. */
export interface ListResult {
  transactions: Transaction[];
  /** As Position.logPosition. */
  logPosition?: string;
  /** Archive.beforeMs of the account in the same snapshot, null if nothing is archived. Absent if nothing was found. */
  archivedBeforeMs?: number | null;
}

export interface ListQuery {
  account: string;
  filter: ListFilter;
  /** The last transaction of the page before, or null for the first page. */
  after: Position | null;
}

export interface TransactionLister {
  /** The first transactions of a list query, at most `limit`, in the order of a Page. */
  listTransactions(query: ListQuery, limit: number): Promise<ListResult>;
}

export interface RelatedLister {
  /** The first transactions after a position whose relatedTo is a reference, at most `limit`, newest first. */
  listRelated(
    account: string,
    relatedTo: string,
    after: Position | null,
    limit: number,
  ): Promise<Transaction[]>;
}

export interface TransactionRetriever {
  /** An account's transaction with a reference, or undefined. */
  retrieveTransaction(account: string, reference: string): Promise<Transaction | undefined>;
}
