import type { SendResult } from '../send.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

export const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;

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

const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

const ORDERED_DELAY_MS = 24 * HOUR_MS;

export const MAX_DELAY_MS = 1.1 * MAX_RETRY_AFTER_MS;

const FIRST_PROBE_MS = SECOND_MS;
const MAX_PROBE_MS = 60 * SECOND_MS;

export type RandomNumber = () => number;

const withJitter = (milliseconds: number, random: RandomNumber) =>
  Math.round(milliseconds * (1 + random() / 10));

export const boundedRetryAfter = (retryAfterMs: number | null): number =>
  Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);

export function attemptDelay(
  attempts: number,
  retryAfterMs: number | null,
  isOrdered: boolean,
  random: RandomNumber,
): number | null {
  const delayMs = DELAYS_MS[attempts - 1] ?? (isOrdered ? ORDERED_DELAY_MS : null);
  return delayMs === null ? null : withJitter(Math.max(delayMs, boundedRetryAfter(retryAfterMs)), random);
}

export function probeDelay(probes: number, retryAfterMs: number | null, random: RandomNumber): number {
  const delayMs = Math.min(FIRST_PROBE_MS * 2 ** Math.min(probes, 6), MAX_PROBE_MS / 1.1);
  return withJitter(Math.max(delayMs, boundedRetryAfter(retryAfterMs)), random);
}

/** `refused`: the receiver works, but rejects this change. `gone`: the receiver wants no more changes. */
export type AttemptOutcome = 'delivered' | 'gone' | 'refused' | 'unavailable';

export interface AttemptResult {
  outcome: AttemptOutcome;
  responseStatus: number | null;
  /** An explanation for the owner of the endpoint; empty on success. */
  error: string;
  retryAfterMs: number | null;
  /** True if Retry-After applies to every delivery, not only to this change. */
  asksForPause: boolean;
}

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

export const isReceiverUnavailable = (status: number | null): boolean =>
  status === null || status === 408 || status === 429 || status >= 500;

const NOT_FOLLOWED = '; redirects are not followed';
