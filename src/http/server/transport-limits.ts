export const MAX_HEADER_BYTES = 8192;
export const MAX_URL_CHARACTERS = 4096;
export const MAX_BODY_BYTES = 16_384;
/** How long the headers of a request may take to arrive; a new connection may be silent for as long. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** How long a whole request may take to arrive, but for streams. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/** A connection without a request is closed after this time: longer than proxies keep theirs. */
export const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/**
 * A connection with a request on which not a byte moves for this time is closed: an answer that is not read, or a
 * stream that does not go on. Longer than the longest REQUEST_TIMEOUT.
 */
export const IDLE_TIMEOUT_MS = 75_000;

/** What every answer carries, an error's included. */
export function standardHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'request-id': requestId, 'x-content-type-options': 'nosniff' };
}
