import { parse } from 'node:querystring';

/** No operation has nearly so many parameters. */
export const MAX_PARAMETERS = 50;

/** How many parameters of a query were not read; absent where all were. */
export const UNREAD = Symbol('unread parameters');

/** The parameters of a query by name, decoded. A repeated one is a list of its values. */
export type Query = Readonly<Record<string, string | string[] | undefined>> & { [UNREAD]?: number };

const AMPERSAND = '&'.charCodeAt(0);

/**
 * Reads the first MAX_PARAMETERS parameters of a query, and counts the others, which would cost more than an answer.
 *
 * Bytes that are not UTF-8 get a mark. Fastify's own parser hands such bytes on as they were written, which would pass for a text that
 * somebody filters by.
 */
export function parseQuery(text: string): Query {
  const { end, unread } = measure(text);
  const query: Query = parse(end === text.length ? text : text.slice(0, end), '&', '=', { maxKeys: 0 });
  if (unread > 0) query[UNREAD] = unread;
  return query;
}

/** Where the parameters end that are read, and how many stand behind it. Nothing between two separators is no parameter. */
function measure(text: string): { end: number; unread: number } {
  let parameters = 0;
  let end = text.length;
  for (let at = 0; at < text.length; at++) {
    const begins = text.charCodeAt(at) !== AMPERSAND && (at === 0 || text.charCodeAt(at - 1) === AMPERSAND);
    if (begins && ++parameters === MAX_PARAMETERS + 1) end = at;
  }
  return { end, unread: Math.max(0, parameters - MAX_PARAMETERS) };
}
