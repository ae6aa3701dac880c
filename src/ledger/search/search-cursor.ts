import { hash } from 'node:crypto';
import { hasCursorForm } from '../../values/cursor-form.ts';
import type { RandomBytes } from '../../values/reference.ts';
import type { Position } from '../list/list-query.ts';
import { createTextSealer } from '../list/sealed-text.ts';

/** The content of a cursor: the parameters of the search as they were sent, the position in it, and when the cursor expires. */
interface SearchCursorContent {
  sent: Readonly<Record<string, string>>;
  after: Position;
  expiresAtMs: number;
}

/** Parameters that are too long for a cursor are replaced by their digest: a request must repeat them with the cursor. */
interface OpenedSearchCursor extends Omit<SearchCursorContent, 'sent'> {
  sent: SearchCursorContent['sent'] | string;
}

export interface SearchCursorSealer {
  /** A cursor, and the query that continues the search with it. */
  seal(account: string, content: SearchCursorContent): { cursor: string; query: string };
  /** Undefined if the cursor was not issued by this service for a search of the account, or was altered. */
  open(account: string, cursor: string): OpenedSearchCursor | undefined;
}

type Payload = [
  expiresAtMs: number,
  createdAtMs: number,
  reference: string,
  sent: OpenedSearchCursor['sent'],
];

/** A digest of the parameters of a search, in any order. */
export const digestOf = (sent: SearchCursorContent['sent']): string =>
  hash('sha256', JSON.stringify(Object.entries(sent).sort()), 'base64url');

/** No account has a space in its name: a cursor of a list is none of a search. */
const owner = (account: string) => `search ${account}`;

/** As createCursorSealer. */
export function createSearchCursorSealer(
  secrets: readonly string[],
  randomBytes: RandomBytes,
): SearchCursorSealer {
  const texts = createTextSealer(secrets, randomBytes);
  return {
    seal: (account, { sent, after, expiresAtMs }) => {
      const sealed = (carried: OpenedSearchCursor['sent']) => {
        const payload: Payload = [expiresAtMs, after.createdAtMs, after.reference, carried];
        return texts.seal(owner(account), JSON.stringify(payload));
      };
      const whole = sealed(sent);
      if (hasCursorForm(whole)) return { cursor: whole, query: `?cursor=${whole}` };
      const cursor = sealed(digestOf(sent));
      return { cursor, query: `?${new URLSearchParams({ cursor, ...sent })}` };
    },
    open: (account, cursor) => {
      const text = hasCursorForm(cursor) ? texts.open(owner(account), cursor) : undefined;
      if (text === undefined) return undefined;
      const [expiresAtMs, createdAtMs, reference, sent]: Payload = JSON.parse(text);
      return { sent, after: { createdAtMs, reference }, expiresAtMs };
    },
  };
}
