import { MAX_FAILURES } from '../../../values/interface/limits.ts';
import type { ChangeResult } from '../../ledger/changes/change.ts';
import type { DeliverableEndpoint, WebhookFailure, WebhookProgress } from '../webhook.ts';
import {
  type AttemptResult,
  attemptDelay,
  boundedRetryAfter,
  MAX_DELAY_MS,
  probeDelay,
  type RandomNumber,
} from './attempts.ts';
import {
  AT_ONCE,
  advance,
  type DeliveryState,
  type Disabling,
  isPaused,
  type KeptFailure,
  NEVER,
  putBack,
  settle,
  settleUnwanted,
  WINDOW,
  type Work,
} from './delivery-state.ts';

export const DISABLE_AFTER_MS = 5 * 86_400_000;
/** By the monotonic clock, so that a jump of the wall clock disables no endpoint. */
const SEEN_FAILING_MS = 3_600_000;

export interface Moment {
  nowMs: number;
  monotonicMs: number;
  random: RandomNumber;
}

export interface Effects {
  kept?: WebhookFailure | undefined;
  missing?: number;
  disabled?: Disabling['reason'];
}

const RETRY_MS = 1000;

/** A transition only changes the state and returns its effects. */
export const TRANSITIONS = {
  recorded(state: DeliveryState, headSequence: number | undefined) {
    // Not `>`: a head below `readUpTo` needs a read too, because an older database may have been restored.
    if (headSequence !== state.readUpTo) state.hasNews = true;
    state.headSequence = Math.max(state.headSequence, headSequence ?? 0);
  },

  listed(state: DeliveryState, { endpoint, isReload }: { endpoint: DeliverableEndpoint; isReload: boolean }) {
    const isChanged = endpoint.version !== state.endpoint.version;
    const isMoved = endpoint.acknowledgedSequence > state.acknowledged;
    state.endpoint = endpoint;
    advance(state, endpoint.acknowledgedSequence);
    if (isChanged) {
      mayAttemptNow(state);
      state.disabling = undefined;
    }
    const isFirst = endpoint.hasFailures && state.failures.size === 0;
    if (!isChanged && !isMoved && !isReload && !isFirst) return;
    if (endpoint.hasFailures || state.failures.size > 0) state.loading = 'needed';
    else state.failuresVersion = endpoint.version;
  },

  tested: (state: DeliveryState) => mayAttemptNow(state),

  begun(state: DeliveryState, work: Work) {
    if (work.change !== null) state.waiting.splice(state.waiting.indexOf(work.change), 1);
    state.attempts.set(work.sequence, work);
  },

  slow(state: DeliveryState) {
    state.receiver.isQuick = false;
  },

  answered(
    state: DeliveryState,
    {
      work,
      result,
      isQuick,
      attemptedVersion,
    }: { work: Work; result: AttemptResult; isQuick: boolean; attemptedVersion: number },
    moment: Moment,
  ): Effects {
    const { sequence, failure } = work;
    state.receiver.isQuick = isQuick;
    state.attempts.delete(sequence);
    if (result.outcome === 'delivered') noteDelivered(state, work);
    // If a retry was requested meanwhile, or another instance stored a failure, this result is ignored.
    else if (state.failures.get(sequence)?.failure !== failure) putBack(state, work);
    else if (result.outcome === 'gone') {
      putBack(state, work);
      // A 410 from an earlier URL must not disable the endpoint.
      if (attemptedVersion === state.endpoint.version) wantDisabled(state, 'gone');
    } else return noteFailed(state, work, result, moment);
    return {};
  },

  undone(state: DeliveryState, work: Work) {
    state.attempts.delete(work.sequence);
    putBack(state, work);
  },

  missing(state: DeliveryState, { sequence }: Work): Effects {
    state.attempts.delete(sequence);
    state.failures.delete(sequence);
    state.unsaved.set(sequence, null);
    return { missing: sequence };
  },

  reading(state: DeliveryState, _: undefined, { monotonicMs }: Moment) {
    state.reading = true;
    state.readMs = monotonicMs;
    state.hasNews = false;
  },

  read(state: DeliveryState, { after, page }: { after: number; page: ChangeResult | null }) {
    state.reading = false;
    if (page === null) state.hasNews = true;
    // If `readUpTo` has changed, another instance has delivered changes, and the page is not used.
    else if (state.readUpTo === after) {
      const last = page.changes.at(-1) ?? page.last;
      if (last !== undefined) Object.assign(state, { readUpTo: last.sequence, readNonce: last.nonce });
      state.waiting.push(...page.changes);
      settleUnwanted(state);
      state.headSequence = Math.max(page.headSequence, state.readUpTo);
    }
  },

  loading(state: DeliveryState) {
    state.loading = 'running';
  },

  loaded(
    state: DeliveryState,
    { stored, versionBefore }: { stored: readonly WebhookFailure[] | null; versionBefore: number },
    moment: Moment,
  ) {
    const { failures, unsaved } = state;
    // If `listed` has asked for another load meanwhile, `loading` stays 'needed'.
    if (state.loading === 'running') state.loading = stored === null ? 'needed' : undefined;
    if (stored === null) return;
    const before = new Map(failures);
    failures.clear();
    for (const failure of stored)
      if (unsaved.get(failure.sequence) !== null)
        failures.set(failure.sequence, merge(state, before.get(failure.sequence), failure, moment));
    for (const [sequence, kept] of before) {
      // Only this delivery removes failures after `stored.acknowledged`. If one is missing, it was lost.
      const isLost = sequence > state.stored.acknowledged;
      if (!failures.has(sequence) && (isLost || unsaved.has(sequence))) failures.set(sequence, kept);
    }
    state.failuresVersion = versionBefore;
    settleUnwanted(state);
  },

  storing(state: DeliveryState) {
    state.storing = true;
  },

  stored(state: DeliveryState, progress: WebhookProgress) {
    const { acknowledgedSequence, failingSinceMs, isQuick, failed, delivered } = progress;
    const { stored, unsaved, failures } = state;
    state.storing = false;
    state.failedWrites = 0;
    stored.acknowledged = Math.max(stored.acknowledged, acknowledgedSequence);
    Object.assign(stored, { failingSinceMs, isQuick });
    for (const failure of failed) {
      const kept = failures.get(failure.sequence);
      if (kept !== undefined) kept.storedNextMs = failure.nextAttemptAtMs;
      if (unsaved.get(failure.sequence) === failure) unsaved.delete(failure.sequence);
    }
    for (const sequence of delivered) if (unsaved.get(sequence) === null) unsaved.delete(sequence);
  },

  notStored(state: DeliveryState) {
    state.storing = false;
    state.failedWrites++;
  },

  disabling: (_: DeliveryState, disabling: Disabling) => {
    disabling.call = 'running';
  },

  /** `isDisabled` is true if the call disabled the endpoint, and undefined if the call had no answer. */
  disabled(
    _: DeliveryState,
    { disabling, isDisabled }: { disabling: Disabling; isDisabled: boolean | undefined },
    { monotonicMs }: Moment,
  ): Effects {
    if (isDisabled !== undefined) {
      disabling.call = 'done';
      return isDisabled || disabling.isUnsure ? { disabled: disabling.reason } : {};
    }
    Object.assign(disabling, { call: 'needed', isUnsure: true, notBeforeMs: monotonicMs + RETRY_MS });
    return {};
  },

  callFailed: (state: DeliveryState, _: undefined, moment: Moment) => pause(state, RETRY_MS, moment),

  ended(state: DeliveryState) {
    if (state.phase === 'delivering') state.phase = 'ending';
  },

  restarted(state: DeliveryState) {
    state.phase = 'over';
  },
};

function merge(
  { unsaved }: DeliveryState,
  known: KeptFailure | undefined,
  stored: WebhookFailure,
  { nowMs, monotonicMs }: Moment,
): KeptFailure {
  const { sequence, nextAttemptAtMs: storedNextMs, lastFailedAtMs } = stored;
  if (known?.failure.nextAttemptAtMs === storedNextMs) return { ...known, storedNextMs };
  if (known !== undefined && unsaved.has(sequence)) {
    if (known.storedNextMs === storedNextMs) return known;
    // The owner has requested a retry, which storing `known` unchanged would undo.
    const failure = { ...known.failure, nextAttemptAtMs: known.failure.lastFailedAtMs };
    unsaved.set(sequence, failure);
    return { failure, dueMs: monotonicMs, storedNextMs };
  }
  // A failed attempt would also have changed `lastFailedAtMs`. The owner's request to retry does not.
  const isRequested = known?.failure.lastFailedAtMs === lastFailedAtMs && storedNextMs !== null;
  if (isRequested) return { failure: stored, dueMs: monotonicMs, storedNextMs };
  // `nowMs` is before `lastFailedAtMs` if the clock was set back.
  const leftMs = storedNextMs === null ? NEVER : storedNextMs - Math.max(nowMs, lastFailedAtMs);
  const dueMs = leftMs === NEVER ? NEVER : monotonicMs + Math.min(leftMs, MAX_DELAY_MS);
  return { failure: stored, dueMs, storedNextMs };
}

function noteDelivered(state: DeliveryState, { sequence, change, failure }: Work): void {
  const { failures, unsaved, receiver } = state;
  if (isPaused(state)) for (const kept of failures.values()) if (kept.dueMs < NEVER) kept.dueMs = AT_ONCE;
  Object.assign(receiver, { failingSinceMs: null, seenFailingMs: null, failuresInRow: 0, probes: null });
  mayAttemptNow(state);
  if (change !== null) settle(state, change);
  if (failures.delete(sequence) || failure !== undefined) unsaved.set(sequence, null);
}

function noteFailed(state: DeliveryState, work: Work, result: AttemptResult, moment: Moment): Effects {
  const { sequence, change } = work;
  const { ordered } = state.endpoint;
  const isKnownDown = isPaused(state) && result.outcome === 'unavailable';
  // The changes that fail while the receiver is down would fill `failures`.
  const canKeep = change === null || (state.failures.size < MAX_FAILURES && !isKnownDown);
  if (ordered || !canKeep) putBack(state, work);
  const isScheduled = ordered ? !isKnownDown || !state.failures.has(sequence) : canKeep && !isKnownDown;
  const failure = isScheduled ? keep(state, sequence, result, moment) : undefined;
  if (!isScheduled) noteLastResult(state, sequence, result, moment);
  if (isScheduled && !ordered && change !== null) settle(state, change);
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
  // The last failure is never before the first failure, even if the clock was set back since.
  const lastFailedAtMs = Math.max(nowMs, firstFailedAtMs);
  const nextAttemptAtMs = delayMs === null ? null : lastFailedAtMs + delayMs;
  const times = { firstFailedAtMs, lastFailedAtMs, nextAttemptAtMs };
  const failure = { sequence, attempts, ...times, responseStatus, error };
  const dueMs = delayMs === null ? NEVER : monotonicMs + delayMs;
  failures.set(sequence, { failure, dueMs, storedNextMs: before?.storedNextMs });
  unsaved.set(sequence, failure);
  return failure;
}

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

function noteReceiverFailed(
  state: DeliveryState,
  { outcome, retryAfterMs, asksForPause }: AttemptResult,
  isProbe: boolean,
  canKeep: boolean,
  moment: Moment,
): void {
  const { endpoint, receiver } = state;
  const { nowMs, monotonicMs, random } = moment;
  receiver.failingSinceMs = Math.min(receiver.failingSinceMs ?? NEVER, nowMs);
  receiver.seenFailingMs ??= monotonicMs;
  receiver.failuresInRow++;
  const pausedFrom = endpoint.ordered || !canKeep ? 1 : WINDOW;
  // An ordered endpoint waits for the retry of the refused change, without probes.
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

function mayAttemptNow({ receiver }: DeliveryState): void {
  receiver.nextMs = AT_ONCE;
  receiver.askedUntilMs = AT_ONCE;
}

function pause({ receiver }: DeliveryState, milliseconds: number, { monotonicMs }: Moment): void {
  receiver.nextMs = Math.max(receiver.nextMs, monotonicMs + milliseconds);
}

function wantDisabled(state: DeliveryState, reason: Disabling['reason']): void {
  state.disabling ??= { reason, call: 'needed', notBeforeMs: AT_ONCE, isUnsure: false };
}
