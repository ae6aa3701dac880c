const SECONDS = /^\d{1,10}$/;
/** The three forms of an HTTP date begin with the name of a day. Source: RFC 9110, section 5.6.7. */
const DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * How long Retry-After asks to wait from now, in milliseconds; null if it is absent or malformed.
 *
 * Source: RFC 9110, section 10.2.3.
 */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | null {
  if (text === undefined) return null;
  if (SECONDS.test(text)) return Number(text) * 1000;
  // The form of asctime has no zone, and means UTC too.
  const atMs = DATE.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.max(atMs - nowMs, 0);
}
