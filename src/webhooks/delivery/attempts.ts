import type { SendResult } from '../send.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The time limit of an attempt, from the lookup of the name to the end of the response. */
export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

/** The delays from each failed attempt to the next one. */
const DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** The longest `Retry-After` that counts. A longer one is cut to this. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** The pause between attempts to an ordered endpoint after the schedule above. */
const ORDERED_DELAY_MS = 24 * HOUR_MS;

/** The longest delay, with jitter. If more time is left, the clock was set back. */
export const MAX_DELAY_MS = 1.1 * MAX_RETRY_AFTER_MS;

const FIRST_PROBE_MS = SECOND_MS;
const MAX_PROBE_MS = 60 * SECOND_MS;

/** Returns a random number from 0 to below 1. */
export type RandomNumber = () => number;

/** Makes a delay up to a tenth longer, so that changes that failed together are not retried together. */
const withJitter = (milliseconds: number, random: RandomNumber) =>
  Math.round(milliseconds * (1 + random() / 10));

export const boundedRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);

/** The delay before the attempt after `attempts` failed ones; null after the last of the schedule. */
export function attemptDelay(
  attempts: number,
  retryAfterMs: number | null,
  isOrdered: boolean,
  random: RandomNumber,
): number | null {
  const delayMs = DELAYS_MS[attempts - 1] ?? (isOrdered ? ORDERED_DELAY_MS : null);
  return delayMs === null ? null : withJitter(Math.max(delayMs, boundedRetryAfter(retryAfterMs)), random);
}

/** The delay before the next probe of a paused endpoint, after `probes` failed probes. */
export function probeDelay(probes: number, retryAfterMs: number | null, random: RandomNumber): number {
  // The exponent is bounded, because from 2^6 on, the maximum applies anyway.
  const delayMs = Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 6), MAX_PROBE_MS / 1.1);
  return withJitter(Math.max(delayMs, boundedRetryAfter(retryAfterMs)), random);
}

/**
 * `unavailable`: the receiver is down or overloaded. `refused`: the receiver works, but does not accept this
 * change. `gone`: the receiver wants no more deliveries.
 */
export type AttemptOutcome = 'delivered' | 'gone' | 'refused' | 'unavailable';

export interface AttemptResult {
  outcome: AttemptOutcome;
  /** Null without a response. */
  responseStatus: number | null;
  /** The reason of the failure, for the owner of the endpoint; empty on success. */
  error: string;
  retryAfterMs: number | null;
  /** True if `retryAfterMs` is about all deliveries, not only about this change. */
  asksForPause: boolean;
}

/** Classifies the response to an attempt, or its absence. */
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
  const isRedirect = status >= 300 && status < 400;
  return {
    outcome,
    responseStatus: status,
    error: outcome === 'delivered' ? '' : `the receiver answered ${status}${isRedirect ? NOT_FOLLOWED : ''}`,
    retryAfterMs,
    asksForPause: retryAfterMs !== null && (status === 429 || status === 503),
  };
}

function outcomeOf(status: number): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === 410) return 'gone';
  return isReceiverUnavailable(status) ? 'unavailable' : 'refused';
}

/** True if a failed attempt shows that the receiver is down. `status` is null without a response. */
export const isReceiverUnavailable = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;

const NOT_FOLLOWED = '; redirects are not followed';
