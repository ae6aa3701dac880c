import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../../values/calendar.ts';
import {
  CURSOR_FORM,
  type CursorPosition,
  hasCursorForm,
  type PositionSealer,
} from '../../../values/cursor-form.ts';
import { FaultList, type ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { CURSOR_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { faultyParameters } from '../../../values/problem.ts';
import { EXAMPLE_CURSOR, EXAMPLE_CURSOR_EXPIRES } from '../examples.ts';
import { type Fields, type Schema, Type } from '../schemas/type.ts';
import type { QueryParameters } from '../server/begin-request.ts';
import { type QueryParameter, readQuery } from './parameters.ts';

const PAGE_ITEMS = 100;

export interface PageContext {
  cursors: PositionSealer;
  cursorLifetimeSeconds: number;
  now: () => number;
}

interface Collection<Item, ItemPosition extends CursorPosition, Filter extends string> {
  /** Must identify the collection and its account: a cursor is refused under any other name. */
  name: string;
  pageItems?: number;
  /** A cursor is valid only with the filters with which it was issued. */
  filters?: Readonly<Record<Filter, QueryParameter>>;
  read(
    after: ItemPosition | null,
    limit: number,
    filter: Partial<Record<Filter, string>>,
  ): Promise<readonly Item[]>;
  positionOf(item: Item): ItemPosition;
}

export const pageOf = <Item, const More extends Fields = Record<never, never>>(
  name: string,
  item: Schema<Item>,
  order: string,
  pageItems = PAGE_ITEMS,
  more = {} as More,
) =>
  Type.Object(
    {
      data: Type.Array(item, { description: order, maxItems: pageItems }),
      nextCursor: Type.Nullable({
        description: 'Opaque. Send it as cursor to get the next page. Null on the last page.',
        pattern: CURSOR_FORM,
      }),
      hasMore: Type.Boolean({ description: 'Whether there is another page.' }),
      ...more,
    },
    { $id: name, title: name },
  );

export interface Page<Item> {
  data: Item[];
  nextCursor: string | null;
  hasMore: boolean;
}

export const PAGE_HEADERS = {
  'Cursor-Expires': Type.String({
    format: 'date-time',
    description: 'The time from which nextCursor is refused. Present with nextCursor.',
    examples: [EXAMPLE_CURSOR_EXPIRES],
  }),
  Link: Type.String({
    description:
      'The URL of the next page of this operation, as rel="next". The example is of the list. Present with nextCursor.',
    examples: [`</v1/transactions?cursor=${EXAMPLE_CURSOR}>; rel="next"`],
  }),
};

export const MALFORMED_CURSOR = {
  code: 'cursor_malformed',
  detail:
    'The cursor was not issued by this service for this account, or was altered. Send nextCursor unchanged, or omit cursor to start from the first page.',
} as const;

export const expiredCursor = (expiresAtMs: number, freshExpiresAtMs: number) =>
  ({
    code: 'cursor_expired',
    detail:
      `The cursor expired at ${formatTimestamp(expiresAtMs)}. Send the request in resume until ${formatTimestamp(freshExpiresAtMs)}: ` +
      'it has a fresh cursor, which continues at the same place, with the same filters.',
  }) as const;

export const cursorParameter = (description: string) =>
  ({
    schema: Type.String({ pattern: CURSOR_FORM, maxLength: CURSOR_MAX_CHARACTERS, description }),
    isValid: hasCursorForm,
    code: MALFORMED_CURSOR.code,
    furtherCodes: ['cursor_expired'],
    explain: () => MALFORMED_CURSOR.detail,
  }) as const satisfies QueryParameter;

export const PAGE_QUERY = { cursor: cursorParameter('nextCursor of an earlier page.') };

const PAGE_SIZE_NAMES = /^(limit|(page|per)[_-]?(size|page)|size|count|max[_-]?results|top|first|take)$/i;
const PAGE_NUMBER_NAMES =
  /^(page|page[_-]?(number|no)?|offset|skip|start|(starting|ending)[_-]?(after|before)|after|before)$/i;

export function explainPageName(name: string, pageItems: number): string | undefined {
  if (PAGE_SIZE_NAMES.test(name))
    return `The page size is fixed at ${pageItems}: omit ${name}, and follow nextCursor for more.`;
  if (PAGE_NUMBER_NAMES.test(name))
    return `Pages have no numbers: omit ${name}, and send nextCursor as cursor.`;
  return undefined;
}

export async function readPage<Item, ItemPlace extends CursorPosition, Filter extends string = never>(
  { cursors, cursorLifetimeSeconds, now }: PageContext,
  query: QueryParameters,
  reply: FastifyReply,
  collection: Collection<Item, ItemPlace, Filter>,
): Promise<Page<Item>> {
  const { pageItems = PAGE_ITEMS, filters, read, positionOf: placeOf } = collection;
  const explainName = (parameter: string) => explainPageName(parameter, pageItems);
  const { cursor, ...values } = readQuery<string>(query, { ...PAGE_QUERY, ...filters }, explainName);
  const filter = values as Partial<Record<Filter, string>>;
  const filtered = new URLSearchParams(values as Record<string, string>).toString();
  const name = filtered === '' ? collection.name : `${collection.name} with ${filtered}`;
  const queryWith = (next: string) => `?${filtered === '' ? '' : `${filtered}&`}cursor=${next}`;
  const expiresAtMs = now() + cursorLifetimeSeconds * 1000;
  const after = cursor === undefined ? null : openCursor(cursor);

  function openCursor(text: string): ItemPlace {
    const opened = cursors.openPosition(name, text);
    if (opened === undefined) throw refused(MALFORMED_CURSOR);
    if (now() < opened.expiresAtMs) return opened.position as ItemPlace;
    const fresh = cursors.sealPosition(name, opened.position, expiresAtMs);
    throw refused(expiredCursor(opened.expiresAtMs, expiresAtMs), nextPath(reply.request, queryWith(fresh)));
  }

  const items = await read(after, pageItems + 1, filter);
  const data = items.slice(0, pageItems);
  const last = data.at(-1);
  if (items.length === data.length || last === undefined) return { data, nextCursor: null, hasMore: false };
  const nextCursor = cursors.sealPosition(name, placeOf(last), expiresAtMs);
  setPageHeaders(reply, expiresAtMs, queryWith(nextCursor));
  return { data, nextCursor, hasMore: true };
}

export function setPageHeaders(reply: FastifyReply, expiresAtMs: number, query: string): void {
  reply.header('cursor-expires', formatTimestamp(expiresAtMs));
  reply.header('link', `<${nextPath(reply.request, query)}>; rel="next"`);
}

export const nextPath = ({ url }: Pick<FastifyRequest, 'url'>, query: string) => url.split('?', 1)[0] + query;

function refused(fault: { code: ErrorCode; detail: string }, resume?: string) {
  const faults = new FaultList<ParameterFault<ErrorCode>>();
  faults.add({ parameter: 'cursor', ...fault });
  return faultyParameters(faults, resume);
}
