import { createHash } from 'node:crypto';
import { hasCursorForm, type PositionSealer } from '../../../values/cursor-form.ts';
import type { RandomBytes } from '../../../values/reference.ts';
import { createSealer } from '../sealed-text.ts';
import { FILTER_PARAMETERS, isSameFilter, type ListFault, type ListFilter, type Position } from './list.ts';

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
  /** The cursor was altered, belongs to a different account, or was not issued by this service. */
  | { outcome: 'malformed' };

export interface CursorSealer extends PositionSealer {
  seal(account: string, content: CursorContent): string;
  open(account: string, cursor: string, nowMs: number): OpenedCursor;
}

/** A cursor leaves out nulls at its end, but always has the first four values of SEALED. */
const ALWAYS_SEALED = 4;
const SEALED: readonly (keyof CarriedFilter | 'logPosition')[] = [
  ...FILTER_PARAMETERS.slice(0, ALWAYS_SEALED),
  'logPosition',
  ...FILTER_PARAMETERS.slice(ALWAYS_SEALED),
];
type Payload = [createdAtMs: number, reference: string, ...sealed: CarriedFilter[keyof CarriedFilter][]];

export function createCursorSealer(secrets: readonly string[], randomBytes: RandomBytes): CursorSealer {
  const sealer = createSealer(secrets, randomBytes);
  const open = (owner: string, cursor: string) =>
    hasCursorForm(cursor) ? sealer.open(owner, cursor) : undefined;
  return {
    seal(account, { filter, after, expiresAtMs }) {
      const sealed = { ...carriedFilter(filter), logPosition: after.logPosition ?? null };
      const values = SEALED.map((name) => sealed[name]);
      while (values.length > ALWAYS_SEALED && values.at(-1) === null) values.pop();
      return sealer.seal(account, expiresAtMs, [after.createdAtMs, after.reference, ...values]);
    },

    open(account, cursor, nowMs) {
      const opened = open(account, cursor);
      if (opened === undefined) return { outcome: 'malformed' };
      const { expiresAtMs } = opened;
      const [createdAtMs, reference, ...values] = opened.values as Payload;
      const sealed = Object.fromEntries(SEALED.map((name, at) => [name, values[at] ?? null]));
      const { logPosition, ...filter } = sealed as CarriedFilter & { logPosition: string | null };
      const content = {
        filter,
        after: { createdAtMs, reference, ...(logPosition !== null && { logPosition }) },
        expiresAtMs,
      };
      return { outcome: nowMs < expiresAtMs ? 'opened' : 'expired', content };
    },

    sealPosition(collection, position, expiresAtMs) {
      return sealer.seal(boundTo(collection), expiresAtMs, position);
    },

    openPosition(collection, cursor) {
      const opened = open(boundTo(collection), cursor);
      return opened && { position: opened.values as (string | number)[], expiresAtMs: opened.expiresAtMs };
    },
  };
}

/** A cursor is bound to an account or to this text. The space makes this text differ from every account. */
const boundTo = (collection: string) => `${collection} `;

interface Digest {
  /** SHA-256 of the text in UTF-8, in unpadded base64url. */
  sha256: string;
}

type CarriedFilter = Omit<ListFilter, 'merchantReference'> & {
  merchantReference: string | Digest | null;
};

/** A merchantReference fits into every cursor if its JSON has at most this many bytes. */
const MAX_CARRIED_BYTES = 92;

export function carriedFilter(filter: ListFilter): CarriedFilter {
  const long = uncarriedReference(filter);
  return long === null ? filter : { ...filter, merchantReference: digestOf(long) };
}

/** Returns a merchantReference that is too long for a cursor. Requests with the cursor must repeat it. */
export const uncarriedReference = ({ merchantReference: text }: ListFilter): string | null =>
  text === null || Buffer.byteLength(JSON.stringify(text)) <= MAX_CARRIED_BYTES ? null : text;

/** A long merchantReference is not in the cursor. Returns undefined if the request does not repeat it. */
export function completeFilter(carried: CarriedFilter, sent: ListFilter): ListFilter | undefined {
  const { merchantReference: text } = carried;
  if (text === null || typeof text === 'string') return { ...carried, merchantReference: text };
  const { merchantReference } = sent;
  return merchantReference !== null && isSame('merchantReference', merchantReference, text)
    ? { ...carried, merchantReference }
    : undefined;
}

export function checkFilterWithCursor(sent: ListFilter, carried: CarriedFilter): ListFault[] {
  return FILTER_PARAMETERS.filter(
    (parameter) => sent[parameter] !== null && !isSame(parameter, sent[parameter], carried[parameter]),
  ).map((parameter) => ({
    parameter,
    code: 'cursor_filter_mismatch',
    detail:
      carried[parameter] === null
        ? `The cursor belongs to a list without ${parameter}. Omit ${parameter}, or omit the cursor to start a new list.`
        : `The cursor belongs to a list with another ${parameter}. Send the cursor alone, or omit it to start a new list.`,
  }));
}

function isSame(name: keyof ListFilter, sent: string, carried: string | Digest | null): boolean {
  if (carried === null || typeof carried === 'string') return isSameFilter(name, sent, carried);
  return digestOf(sent).sha256 === carried.sha256;
}

function digestOf(text: string): Digest {
  return { sha256: createHash('sha256').update(text).digest('base64url') };
}
