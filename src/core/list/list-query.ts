import type { Transaction } from '../transaction.ts';
import type { ListFilter } from './list-filter.ts';

/** A place in the list: the transactions behind it are older, or as old with a smaller reference. */
export interface Position {
  createdAtMs: number;
  reference: string;
  /**
   * How far the database had been seen when the page before was read, in the store's own words: no later page
   * is older. Absent where the store reads one database alone.
   */
  logPosition?: string;
}

/** What a store answers to a question. */
export interface ListResult {
  transactions: Transaction[];
  /** As Position.logPosition. */
  logPosition?: string;
}

export interface ListQuery {
  account: string;
  filter: ListFilter;
  /** The last transaction already seen, which is one of the same list, or null for the first page. */
  after: Position | null;
}
