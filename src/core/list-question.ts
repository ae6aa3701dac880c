import type { ListFilter } from './list-filter.ts';

/** A place in the list: the transactions behind it are older, or as old with a smaller reference. */
export interface Position {
  createdAtMs: number;
  reference: string;
}

export interface ListQuestion {
  account: string;
  filter: ListFilter;
  /** The last transaction already seen, which is one of the same list, or null for the first page. */
  after: Position | null;
}
