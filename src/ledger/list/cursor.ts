import type { RandomBytes } from '../../values/reference.ts';
import { type CarriedFilter, carriedFilter } from './carried-filter.ts';
import type { ListFilter } from './list-filter.ts';
import type { Position } from './list-query.ts';
import { deriveKey, NONCE_BYTES, openText, type SealingKey, sealText } from './sealed-text.ts';

/** The content of a cursor: the list, the position in it, and when the cursor expires. */
export interface CursorContent {
  filter: ListFilter;
  after: Position;
  expiresAtMs: number;
}

interface OpenedContent extends Omit<CursorContent, 'filter'> {
  filter: CarriedFilter;
}

type OpenedCursor =
  | { outcome: 'opened'; content: OpenedContent }
  | { outcome: 'expired'; content: OpenedContent }
  /** Not issued by this service, altered, or of another account. The outcome does not say which. */
  | { outcome: 'malformed' };

export interface CursorSealer {
  seal(account: string, content: CursorContent): string;
  open(account: string, cursor: string, nowMs: number): OpenedCursor;
}

export const CURSOR_MAX_CHARACTERS = 512;
export const CURSOR_FORM = `^[A-Za-z0-9_-]{1,${CURSOR_MAX_CHARACTERS}}$`;

const CURSOR = new RegExp(CURSOR_FORM);

type Payload = [
  expiresAtMs: number,
  createdAtMs: number,
  reference: string,
  status: string | null,
  currency: string | null,
  from: string | null,
  to: string | null,
  logPosition?: string | null,
  merchantReference?: CarriedFilter['merchantReference'],
];

/**
 * Seals cursors with the first secret, and opens cursors sealed with any of them.
 *
 * Throws: an error if there is no secret, or the same secret twice.
 */
export function createCursorSealer(secrets: readonly string[], randomBytes: RandomBytes): CursorSealer {
  const keys = new Map<number, SealingKey>();
  for (const secret of secrets) {
    const key = deriveKey(secret);
    if (keys.has(key.number)) throw new Error('the same cursor secret is given twice');
    keys.set(key.number, key);
  }
  const [sealing] = keys.values();
  if (sealing === undefined) throw new Error('there is no cursor secret');

  return {
    seal(account, { filter, after, expiresAtMs }) {
      const payload: Payload = [
        expiresAtMs,
        after.createdAtMs,
        after.reference,
        filter.status,
        filter.currency,
        filter.from,
        filter.to,
      ];
      const { merchantReference } = carriedFilter(filter);
      if (merchantReference !== null) payload.push(after.logPosition ?? null, merchantReference);
      else if (after.logPosition !== undefined) payload.push(after.logPosition);
      return sealText(sealing, account, JSON.stringify(payload), randomBytes(NONCE_BYTES));
    },

    open(account, cursor, nowMs) {
      const text = CURSOR.test(cursor) ? openText(keys, account, cursor) : undefined;
      if (text === undefined) return { outcome: 'malformed' };
      const [
        expiresAtMs,
        createdAtMs,
        reference,
        status,
        currency,
        from,
        to,
        logPosition = null,
        carried = null,
      ]: Payload = JSON.parse(text);
      const content = {
        filter: { status, currency, from, to, merchantReference: carried },
        after: { createdAtMs, reference, ...(logPosition !== null && { logPosition }) },
        expiresAtMs,
      };
      return { outcome: nowMs < expiresAtMs ? 'opened' : 'expired', content };
    },
  };
}
