import { hash } from 'node:crypto';
import { hasCursorForm, type PositionSealer } from '../../../values/cursor-form.ts';
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
   * A part of the reference, the merchantReference or a value of details. Neither case nor accents have to
   * match.
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
 * The content of a cursor: the parameters of the search as they were sent, its position, and when the cursor
 * expires.
 */
export interface SearchCursorContent {
  sent: Readonly<Record<string, string>>;
  after: Position;
  expiresAtMs: number;
}

/** If the parameters are too long for a cursor, `sent` is their digest, and a request must repeat them. */
interface OpenedSearchCursor extends Omit<SearchCursorContent, 'sent'> {
  sent: SearchCursorContent['sent'] | string;
}

export interface SearchCursorSealer {
  seal(account: string, content: SearchCursorContent): { cursor: string; query: string };
  /** Undefined if the cursor was altered, or this service did not issue it for a search of the account. */
  open(account: string, cursor: string): OpenedSearchCursor | undefined;
}

/** A digest of the parameters of a search, whatever their order. */
export const digestOf = (sent: SearchCursorContent['sent']): string =>
  hash('sha256', JSON.stringify(Object.entries(sent).sort()), 'base64url');

/** Seals a position as collections do, followed by the names and values of the search's parameters. */
export function createSearchCursorSealer(positions: PositionSealer): SearchCursorSealer {
  const collectionOf = (account: string) => `search ${account}`;
  return {
    seal: (account, { sent, after, expiresAtMs }) => {
      const sealed = (...carried: string[]) =>
        positions.sealPosition(
          collectionOf(account),
          [after.createdAtMs, after.reference, ...carried],
          expiresAtMs,
        );
      const whole = sealed(...Object.entries(sent).flat());
      if (hasCursorForm(whole)) return { cursor: whole, query: `?cursor=${whole}` };
      const cursor = sealed(digestOf(sent));
      return { cursor, query: `?${new URLSearchParams({ cursor, ...sent })}` };
    },
    open: (account, cursor) => {
      const opened = positions.openPosition(collectionOf(account), cursor);
      if (opened === undefined) return undefined;
      const [createdAtMs, reference, ...carried] = opened.position as [number, string, ...string[]];
      const pairs = carried.flatMap((name, at) => (at % 2 === 0 ? [[name, carried[at + 1]]] : []));
      const sent =
        carried.length === 1 ? String(carried[0]) : (Object.fromEntries(pairs) as Record<string, string>);
      return { sent, after: { createdAtMs, reference }, expiresAtMs: opened.expiresAtMs };
    },
  };
}
