import type { SendResult } from '../send.ts';

/**
 * `unavailable`: the receiver is down, or has too much to do. `refused`: it works, and does not accept this
 * change. `gone`: it wants no more deliveries.
 */
export type AttemptOutcome = 'delivered' | 'gone' | 'refused' | 'unavailable';

export interface AttemptResult {
  outcome: AttemptOutcome;
  /** Null if there was no response. */
  responseStatus: number | null;
  /** The reason of the failure, for the owner of the endpoint; empty on success. */
  error: string;
  retryAfterMs: number | null;
  /** True if `retryAfterMs` is about all deliveries, not about this change. */
  asksForPause: boolean;
}

/** The result of an attempt for the change and the receiver, by the response or its absence. */
export function attemptResult(sent: SendResult): AttemptResult {
  if ('error' in sent)
    return {
      outcome: 'unavailable',
      responseStatus: null,
      error: sent.error,
      retryAfterMs: null,
      asksForPause: false,
    };
  const { status, retryAfterMs } = sent;
  const outcome = outcomeOf(status);
  return {
    outcome,
    responseStatus: status,
    error: outcome === 'delivered' ? '' : explain(status),
    retryAfterMs,
    asksForPause: retryAfterMs !== null && (status === 429 || status === 503),
  };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return isReceiverUnavailable(status) ? 'unavailable' : 'refused';
}

/** True if a failed attempt's response status, null without one, says that the receiver is down. */
export const isReceiverUnavailable = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;

function explain(status: number): string {
  if (status >= 300 && status < 400) return `the receiver answered ${status}; redirects are not followed`;
  return `the receiver answered ${status}`;
}
