import { MAX_FAILURES } from '../../../values/interface/limits.ts';
import type { WebhookFailure } from '../webhook.ts';
import {
  type AttemptResult,
  attemptDelay,
  boundedRetryAfter,
  probeDelay,
  type RandomNumber,
} from './attempts.ts';
import {
  AT_ONCE,
  type DeliveryState,
  type Disabling,
  isPaused,
  NEVER,
  putBack,
  settle,
  WINDOW,
  type Work,
} from './delivery-state.ts';

/** An endpoint is disabled when every attempt has failed for this time. */
export const DISABLE_AFTER_MS = 5 * 86_400_000;
/** This process saw it for this time by the monotonic clock: a clock that is set disables no endpoint. */
const SEEN_FAILING_MS = 3_600_000;

/** The time of an event, and its random numbers. */
export interface Moment {
  /** The time by the wall clock, which can be set. */
  nowMs: number;
  monotonicMs: number;
  random: RandomNumber;
}

/** The effects that a transition reports. */
export interface Effects {
  /** A change is kept as a failure, for the first time. */
  kept?: WebhookFailure | undefined;
  /** The change of a failure does not exist. */
  missing?: number;
  disabled?: Disabling['reason'];
}

/** If the endpoint was paused, it continues, and everything that waits for its next attempt is due. */
export function noteDelivered(state: DeliveryState, { sequence, change, failure }: Work): void {
  const { failures, unsaved, receiver } = state;
  if (isPaused(state)) for (const kept of failures.values()) if (kept.dueMs < NEVER) kept.dueMs = AT_ONCE;
  Object.assign(receiver, { failingSinceMs: null, seenFailingMs: null, failuresInRow: 0, probes: null });
  mayAttemptNow(state);
  // A kept failure is settled already.
  if (change !== null) settle(state, change);
  if (failures.delete(sequence) || failure !== undefined) unsaved.set(sequence, null);
}

/**
 * An attempt failed. Its change is kept as a failure, so that later ones go on. It stays the next one instead
 * where the endpoint is ordered, has too many failures, or its receiver was down before: a receiver that is
 * down makes no more failures, however many changes wait.
 */
export function noteFailed(state: DeliveryState, work: Work, result: AttemptResult, moment: Moment): Effects {
  const { sequence, change } = work;
  const { ordered } = state.endpoint;
  const isKnownDown = isPaused(state) && result.outcome === 'unavailable';
  const canKeep = change === null || (state.failures.size < MAX_FAILURES && !isKnownDown);
  if (ordered || !canKeep) putBack(state, work);
  // While the receiver is down, the schedule stands still: an attempt that is certain to fail does not count.
  const isCounted = ordered ? !isKnownDown || !state.failures.has(sequence) : canKeep && !isKnownDown;
  const failure = isCounted ? keep(state, sequence, result, moment) : undefined;
  if (!isCounted) noteLastResult(state, sequence, result, moment);
  if (isCounted && !ordered && change !== null) settle(state, change);
  noteReceiverFailed(state, result, work.isProbe, canKeep, moment);
  return { kept: failure?.attempts === 1 ? failure : undefined };
}

function keep(
  { endpoint, failures, unsaved, receiver }: DeliveryState,
  sequence: number,
  { outcome, responseStatus, error, retryAfterMs }: AttemptResult,
  { nowMs, monotonicMs, random }: Moment,
): WebhookFailure {
  const before = failures.get(sequence);
  const attempts = (before?.failure.attempts ?? 0) + 1;
  const delayMs =
    endpoint.ordered && outcome === 'unavailable'
      ? probeDelay(receiver.probes ?? 0, retryAfterMs, random)
      : attemptDelay(attempts, retryAfterMs, endpoint.ordered, random);
  const firstFailedAtMs = before?.failure.firstFailedAtMs ?? nowMs;
  // The clock may have been set back since the first attempt.
  const lastFailedAtMs = Math.max(nowMs, firstFailedAtMs);
  const nextAttemptAtMs = delayMs === null ? null : lastFailedAtMs + delayMs;
  const times = { firstFailedAtMs, lastFailedAtMs, nextAttemptAtMs };
  const failure = { sequence, attempts, ...times, responseStatus, error };
  const dueMs = delayMs === null ? NEVER : monotonicMs + delayMs;
  failures.set(sequence, { failure, dueMs, storedNextMs: before?.storedNextMs });
  unsaved.set(sequence, failure);
  return failure;
}

/** A failure shows its last attempt, also one outside of the schedule. */
function noteLastResult(
  { failures, unsaved }: DeliveryState,
  sequence: number,
  { responseStatus, error }: AttemptResult,
  { nowMs }: Moment,
): void {
  const kept = failures.get(sequence);
  if (kept === undefined) return;
  const lastFailedAtMs = Math.max(nowMs, kept.failure.firstFailedAtMs);
  const failure = { ...kept.failure, lastFailedAtMs, responseStatus, error };
  failures.set(sequence, { ...kept, failure });
  unsaved.set(sequence, failure);
}

/** Pauses the endpoint after a number of failures in a row. Attempts already in flight are no probes. */
function noteReceiverFailed(
  state: DeliveryState,
  { outcome, retryAfterMs, asksForPause }: AttemptResult,
  isProbe: boolean,
  canKeep: boolean,
  moment: Moment,
): void {
  const { endpoint, receiver } = state;
  const { nowMs, monotonicMs, random } = moment;
  // The clock may have been set back since.
  receiver.failingSinceMs = Math.min(receiver.failingSinceMs ?? NEVER, nowMs);
  receiver.seenFailingMs ??= monotonicMs;
  receiver.failuresInRow++;
  const pausedFrom = endpoint.ordered || !canKeep ? 1 : WINDOW;
  // An ordered endpoint with a receiver that works waits for the schedule.
  if (endpoint.ordered && outcome !== 'unavailable') receiver.probes = null;
  else if (receiver.probes !== null) receiver.probes += isProbe ? 1 : 0;
  else if (receiver.failuresInRow >= pausedFrom) receiver.probes = 0;
  if (receiver.probes !== null) pause(state, probeDelay(receiver.probes, retryAfterMs, random), moment);
  else if (asksForPause) {
    pause(state, boundedRetryAfter(retryAfterMs), moment);
    receiver.askedUntilMs = receiver.nextMs;
  }
  const isSeen = monotonicMs - receiver.seenFailingMs >= SEEN_FAILING_MS;
  if (isSeen && nowMs - receiver.failingSinceMs >= DISABLE_AFTER_MS) wantDisabled(state, 'failing');
}

export function mayAttemptNow({ receiver }: DeliveryState): void {
  receiver.nextMs = AT_ONCE;
  receiver.askedUntilMs = AT_ONCE;
}

export function pause({ receiver }: DeliveryState, milliseconds: number, { monotonicMs }: Moment): void {
  receiver.nextMs = Math.max(receiver.nextMs, monotonicMs + milliseconds);
}

export function wantDisabled(state: DeliveryState, reason: Disabling['reason']): void {
  state.disabling ??= { reason, call: 'needed', notBeforeMs: AT_ONCE, isUnsure: false };
}
