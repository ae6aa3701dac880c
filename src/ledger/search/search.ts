import { hash } from 'node:crypto';
import { hasCursorForm, type PositionSealer } from '../../../values/cursor-form.ts';
import type { ListFilter, Position } from '../list/list.ts';
import type { Transaction } from '../transaction.ts';

export interface SearchTerms {
  amountFromMinor: number | null;
  amountToMinor: number | null;
  paidFromMs: number | null;
  paidBeforeMs: number | null;
  /** Case and accents do not matter. */
  text: string | null;
}

export interface SearchQuery {
  account: string;
  filter: ListFilter;
  terms: SearchTerms;
  after: Position | null;
}

interface SearchResult {
  transactions: Transaction[];
  end: Position | null;
}

export interface TransactionSearcher {
  searchTransactions(query: SearchQuery, compared: number): Promise<SearchResult>;
}

/** `sent`: the parameters of the search, as the caller wrote them. */
interface SearchCursorContent {
  sent: Readonly<Record<string, string>>;
  after: Position;
  expiresAtMs: number;
}

/** If `sent` is a string, it is a digest of parameters too long for a cursor. Each request repeats them. */
interface OpenedSearchCursor extends Omit<SearchCursorContent, 'sent'> {
  sent: SearchCursorContent['sent'] | string;
}

export interface SearchCursorSealer {
  seal(account: string, content: SearchCursorContent): { cursor: string; query: string };
  /** Returns undefined if the cursor was not issued for a search of this account, or was altered. */
  open(account: string, cursor: string): OpenedSearchCursor | undefined;
}

export const digestOf = (sent: SearchCursorContent['sent']): string =>
  hash('sha256', JSON.stringify(Object.entries(sent).sort()), 'base64url');

/** A cursor contains the position and the parameters. Parameters that are too long become a digest. */
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
