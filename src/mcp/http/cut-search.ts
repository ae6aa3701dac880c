import type { SearchCursorSealer } from '../../ledger/search/search-cursor.ts';
import { parseTimestamp } from '../../values/calendar.ts';
import { textsOf } from './read-as-caller.ts';
import type { CutSearch } from './tools.ts';

interface Cutting {
  searchCursors: SearchCursorSealer;
  cursorLifetimeSeconds: number;
  now: () => number;
}

/** Returns a function that ends pages of searches early. What follows the last row is reached with a cursor of its own. */
export const createCutSearch =
  ({ searchCursors, cursorLifetimeSeconds, now }: Cutting): CutSearch =>
  (account, page, given, rows) => {
    const data = page['data'] as readonly { createdAt: string; reference: string }[];
    const last = data[rows - 1];
    if (last === undefined || data.length === rows) return page;
    const { cursor, ...terms } = textsOf(given);
    const carried = cursor === undefined ? terms : searchCursors.open(account, cursor)?.sent;
    const { cursor: nextCursor } = searchCursors.seal(account, {
      sent: typeof carried === 'object' ? carried : terms,
      after: { createdAtMs: parseTimestamp(last.createdAt) as number, reference: last.reference },
      expiresAtMs: now() + cursorLifetimeSeconds * 1000,
    });
    return { data: data.slice(0, rows), searchedBackTo: last.createdAt, nextCursor, hasMore: true };
  };
