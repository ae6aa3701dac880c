import type { AttemptResult } from './attempt-result.ts';
import { attemptDelay, probeDelay, type RandomNumber } from './attempt-schedule.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import { type DeliveryState, MAX_FAILURES, WINDOW, type Work } from './delivery-state.ts';
import type { WebhookFailure } from './webhook.ts';

/** A change is delivered. If the endpoint was paused, it goes on, and everything that waits for its next attempt is due. */
export function noteDelivered(
  { place, failures, receiver }: DeliveryState,
  { sequence, failure }: Work,
  nonce: number,
): void {
  if (receiver.noteDelivered()) failures.release();
  place.settle({ sequence, nonce });
  failures.remove(sequence, failure !== undefined);
}

/**
 * An attempt failed. Its change is kept as a failure, so that later ones go on. It stays the next one instead where the endpoint is ordered,
 * has too many failures, or its receiver was down before: a receiver that is down makes no more failures, however many changes wait.
 */
export function noteFailed(
  state: DeliveryState,
  { sequence, change, isProbe }: Work,
  nonce: number,
  result: AttemptResult,
  { now, random, hooks }: Pick<DeliveryDependencies, 'now' | 'random' | 'hooks'>,
): void {
  const { endpoint, place, fresh, failures, receiver } = state;
  const { ordered } = endpoint;
  const isKnownDown = receiver.isHeldBack && result.outcome === 'unavailable';
  const isKept = change === null;
  const canKeep = isKept || (failures.count < MAX_FAILURES && !isKnownDown);
  if (change !== null && (ordered || !canKeep)) fresh.putBack(change);
  // The schedule does not go on while the receiver is down: an attempt that is certain to fail is none of its attempts.
  const isCounted = ordered ? !isKnownDown || failures.get(sequence) === undefined : canKeep && !isKnownDown;
  const failure = isCounted ? keep(state, sequence, result, now(), random) : undefined;
  if (failure?.attempts === 1) hooks.onFailure(endpoint, failure);
  if (isCounted && !ordered) place.settle({ sequence, nonce });
  receiver.noteFailed(result, holdBackFrom(state, result, canKeep), isProbe);
}

/** With how many failures in a row the endpoint is paused; null if it is not. */
function holdBackFrom(
  { endpoint }: DeliveryState,
  { outcome }: AttemptResult,
  canKeep: boolean,
): number | null {
  // An ordered endpoint with a receiver that works waits for the schedule.
  if (endpoint.ordered) return outcome === 'unavailable' ? 1 : null;
  return canKeep ? WINDOW : 1;
}

function keep(
  { endpoint, failures, receiver }: DeliveryState,
  sequence: number,
  { outcome, responseStatus, error, retryAfterMs }: AttemptResult,
  nowMs: number,
  random: RandomNumber,
): WebhookFailure {
  const before = failures.get(sequence);
  const attempts = (before?.attempts ?? 0) + 1;
  const isProbed = endpoint.ordered && outcome === 'unavailable';
  const delayMs = isProbed
    ? probeDelay(receiver.probes, retryAfterMs, random)
    : attemptDelay(attempts, retryAfterMs, endpoint.ordered, random);
  const firstFailedAtMs = before?.firstFailedAtMs ?? nowMs;
  // The clock may have been set back since the first attempt.
  const lastFailedAtMs = Math.max(nowMs, firstFailedAtMs);
  const nextAttemptAtMs = delayMs === null ? null : lastFailedAtMs + delayMs;
  const failure = {
    sequence,
    attempts,
    firstFailedAtMs,
    lastFailedAtMs,
    nextAttemptAtMs,
    responseStatus,
    error,
  };
  failures.put(failure, delayMs);
  return failure;
}
