import { hash } from 'node:crypto';
import { hasCursorForm, type PositionSealer } from '../../../values/cursor-form.ts';
import type { SearchCursorContent, SearchCursorSealer } from './search.ts';

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
