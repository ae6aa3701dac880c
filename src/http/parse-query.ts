import { parse } from 'node:querystring';

/** Far more parameters than any operation has. */
export const MAX_PARAMETERS = 50;

/** How many parameters of a query were not read; absent if all were read. */
export const UNREAD = Symbol('unread parameters');

/** The parameters of a URL's query by name, decoded. A repeated parameter has an array of its values. */
export type QueryParameters = Readonly<Record<string, string | string[] | undefined>> & { [UNREAD]?: number };

const AMPERSAND = '&'.charCodeAt(0);

/**
 * Reads the first MAX_PARAMETERS parameters of a query and counts the others, because reading all could cost more than a response.
 *
 * Bytes that are not UTF-8 become U+FFFD, which no filter accepts. Fastify's own parser would leave them percent-encoded, as if the
 * caller filtered by that text.
 */
export function parseQuery(text: string): QueryParameters {
  const { end, unread } = measure(text);
  const query: QueryParameters = parse(end === text.length ? text : text.slice(0, end), '&', '=', {
    maxKeys: 0,
  });
  if (unread > 0) query[UNREAD] = unread;
  return query;
}

/** Where the parameters to read end, and how many follow. Adjacent separators have no parameter between them. */
function measure(text: string): { end: number; unread: number } {
  let parameters = 0;
  let end = text.length;
  for (let at = 0; at < text.length; at++) {
    const begins = text.charCodeAt(at) !== AMPERSAND && (at === 0 || text.charCodeAt(at - 1) === AMPERSAND);
    if (begins && ++parameters === MAX_PARAMETERS + 1) end = at;
  }
  return { end, unread: Math.max(0, parameters - MAX_PARAMETERS) };
}
