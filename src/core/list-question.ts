import type { ListFilter } from './list-filter.ts';

/** A place in the list: the transactions behind it are older, or as old with a smaller reference. */
export interface Position {
  createdAtMs: number;
  reference: string;
}

export interface ListQuestion {
  account: string;
  filter: ListFilter;
  /** The last transaction already seen, or null for the first page. */
  after: Position | null;
}
