/** The headers of every response, errors included. */
export function standardHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'request-id': requestId, 'x-content-type-options': 'nosniff' };
}
