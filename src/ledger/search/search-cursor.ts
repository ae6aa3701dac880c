import type { RandomBytes } from '../../values/reference.ts';
import type { Position } from '../list/list-query.ts';
import { createTextSealer } from '../list/sealed-text.ts';

/** The content of a cursor: the parameters of the search as they were sent, the position in it, and when the cursor expires. */
interface SearchCursorContent {
  sent: Readonly<Record<string, string>>;
  after: Position;
  expiresAtMs: number;
}

export interface SearchCursorSealer {
  seal(account: string, content: SearchCursorContent): string;
  /** Undefined if the cursor was not issued by this service for a search of the account, or was altered. */
  open(account: string, cursor: string): SearchCursorContent | undefined;
}

/** Enough for the longest merchantReference and text. */
const SEARCH_CURSOR_MAX_CHARACTERS = 2048;
export const SEARCH_CURSOR_FORM = `^[A-Za-z0-9_-]{1,${SEARCH_CURSOR_MAX_CHARACTERS}}$`;

const CURSOR = new RegExp(SEARCH_CURSOR_FORM);

type Payload = [expiresAtMs: number, createdAtMs: number, reference: string, sent: Record<string, string>];

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
      const payload: Payload = [expiresAtMs, after.createdAtMs, after.reference, sent];
      return texts.seal(owner(account), JSON.stringify(payload));
    },
    open: (account, cursor) => {
      const text = CURSOR.test(cursor) ? texts.open(owner(account), cursor) : undefined;
      if (text === undefined) return undefined;
      const [expiresAtMs, createdAtMs, reference, sent]: Payload = JSON.parse(text);
      return { sent, after: { createdAtMs, reference }, expiresAtMs };
    },
  };
}
