export const MAX_PAUSE_MS = 60_000;

/** @param {Exchange} exchange @returns {number} milliseconds */
export function pauseOf(exchange) {
  if (exchange.status === 429 || exchange.status === 503) {
    const retryAfter = retryAfterMs(exchange.header('retry-after'));
    if (retryAfter !== undefined) return retryAfter;
    const isLimitOfAccount = String(exchange.body?.code).startsWith('too_many_');
    return exchange.status === 429 && !isLimitOfAccount ? 1000 : 0;
  }
  const { remaining, resetSeconds } = rateLimit(exchange);
  return remaining !== undefined && remaining <= 4 ? Math.min(resetSeconds * 1000, MAX_PAUSE_MS) : 0;
}

/** @param {string | undefined} value seconds, or a date */
function retryAfterMs(value) {
  if (value === undefined) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** @param {Exchange} exchange */
function rateLimit(exchange) {
  const value = exchange.header('ratelimit') ?? '';
  const remaining = /[;,]\s*r=(\d+)/.exec(value)?.[1] ?? exchange.header('ratelimit-remaining');
  const reset = /[;,]\s*t=(\d+)/.exec(value)?.[1] ?? exchange.header('ratelimit-reset');
  return {
    remaining: remaining === undefined || remaining === '' ? undefined : Number(remaining),
    resetSeconds: Number(reset ?? 1) || 1,
  };
}
