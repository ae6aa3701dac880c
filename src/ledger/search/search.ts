import type { ListFilter, Position } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';

/** The conditions of a search in addition to the filters of a list; null for no restriction. */
export interface SearchTerms {
  /** The least and the greatest amount, both inclusive, in hundredths. */
  amountFromMinor: number | null;
  amountToMinor: number | null;
  /** The half-open range of paidAt, in milliseconds since 1970-01-01T00:00:00Z. */
  paidFromMs: number | null;
  paidBeforeMs: number | null;
  /**
   * A part of the reference, the merchantReference or a value of details, in upper or lower case, with or
   * without accents.
   */
  text: string | null;
}

export interface SearchQuery {
  account: string;
  filter: ListFilter;
  terms: SearchTerms;
  /** The transaction after which the search continues, or null to begin with the newest. */
  after: Position | null;
}

interface SearchResult {
  /** The transactions that match, newest first. */
  transactions: Transaction[];
  /** The last transaction that was compared, or null if all were compared. */
  end: Position | null;
}

export interface TransactionSearcher {
  /** Compares the account's next `compared` transactions in the filter's range, newest first. */
  searchTransactions(query: SearchQuery, compared: number): Promise<SearchResult>;
}

/**
 * The content of a cursor: the parameters of the search as they were sent, the position in it, and when the
 * cursor expires.
 */
export interface SearchCursorContent {
  sent: Readonly<Record<string, string>>;
  after: Position;
  expiresAtMs: number;
}

/** A digest replaces parameters too long for a cursor: a request must repeat them with the cursor. */
interface OpenedSearchCursor extends Omit<SearchCursorContent, 'sent'> {
  sent: SearchCursorContent['sent'] | string;
}

export interface SearchCursorSealer {
  seal(account: string, content: SearchCursorContent): { cursor: string; query: string };
  /** Undefined if the cursor was not issued by this service for a search of the account, or was altered. */
  open(account: string, cursor: string): OpenedSearchCursor | undefined;
}
