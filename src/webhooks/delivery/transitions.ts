import type { ChangeResult } from '../../ledger/changes/change.ts';
import type { DeliverableEndpoint, WebhookFailure, WebhookProgress } from '../webhook.ts';
import { type AttemptResult, MAX_DELAY_MS } from './attempts.ts';
import {
  advance,
  type DeliveryState,
  type Disabling,
  isWanted,
  type KeptFailure,
  NEVER,
  passKept,
  putBack,
  settle,
  type Work,
} from './delivery-state.ts';
import {
  type Effects,
  type Moment,
  mayAttemptNow,
  noteDelivered,
  noteFailed,
  pause,
  wantDisabled,
} from './note-answer.ts';

/** The pause after a failed call of the database. */
const RETRY_MS = 1000;

/** The events of an endpoint's deliveries. Each transition changes only the state, and returns reports. */
export const TRANSITIONS = {
  /** There are changes, or may be. `headSequence`: the largest number of the account, if it is known. */
  recorded(state: DeliveryState, headSequence: number | undefined) {
    // A smaller one is late, or the database was restored: a read shows which.
    if (headSequence !== state.readUpTo) state.hasNews = true;
    state.headSequence = Math.max(state.headSequence, headSequence ?? 0);
  },

  /**
   * The endpoint was read: its owner may have changed it or asked for a retry, and another instance may have
   * stored progress.
   */
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

  /** A test was delivered. */
  tested: (state: DeliveryState) => mayAttemptNow(state),

  begun(state: DeliveryState, work: Work) {
    if (work.change !== null) state.waiting.splice(state.waiting.indexOf(work.change), 1);
    state.attempts.set(work.sequence, work);
  },

  /** An attempt takes long. */
  slow(state: DeliveryState) {
    state.receiver.isQuick = false;
  },

  /** `version`: of the endpoint when the attempt began. */
  answered(
    state: DeliveryState,
    {
      work,
      result,
      isQuick,
      version,
    }: { work: Work; result: AttemptResult; isQuick: boolean; version: number },
    moment: Moment,
  ): Effects {
    const { sequence, failure } = work;
    state.receiver.isQuick = isQuick;
    state.attempts.delete(sequence);
    if (result.outcome === 'delivered') noteDelivered(state, work);
    // A retry was requested after it began, or another instance has stored the failure.
    else if (state.failures.get(sequence)?.failure !== failure) putBack(state, work);
    else if (result.outcome === 'gone') {
      putBack(state, work);
      // The receiver of another address may be gone.
      if (version === state.endpoint.version) wantDisabled(state, 'gone');
    } else return noteFailed(state, work, result, moment);
    return {};
  },

  /** The attempt does not count: its failure stays, or its change is again one of the next. */
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

  /** Changes after a number were read; null if they could not be. */
  read(state: DeliveryState, { after, page }: { after: number; page: ChangeResult | null }) {
    state.reading = false;
    if (page === null) state.hasNews = true;
    // Otherwise another instance has gone on meanwhile.
    else if (state.readUpTo === after) {
      state.readNonce = page.last?.nonce ?? state.readNonce;
      for (const change of page.changes) {
        Object.assign(state, { readUpTo: change.sequence, readNonce: change.nonce });
        if (isWanted(state, change)) state.waiting.push(change);
        else settle(state, change);
      }
      state.headSequence = Math.max(page.headSequence, state.readUpTo);
    }
  },

  loading(state: DeliveryState) {
    state.loading = 'running';
  },

  /** The failures of an endpoint's version were read; null if that failed. What is not stored yet stays. */
  loaded(
    state: DeliveryState,
    { stored, version }: { stored: readonly WebhookFailure[] | null; version: number },
    moment: Moment,
  ) {
    const { failures, unsaved } = state;
    // Otherwise they have changed meanwhile.
    if (state.loading === 'running') state.loading = stored === null ? 'needed' : undefined;
    if (stored === null) return;
    const before = new Map(failures);
    failures.clear();
    for (const failure of stored)
      if (unsaved.get(failure.sequence) !== null)
        failures.set(failure.sequence, merge(state, before.get(failure.sequence), failure, moment));
    for (const [sequence, failure] of unsaved)
      if (failure !== null && !failures.has(sequence))
        failures.set(sequence, before.get(sequence) as KeptFailure);
    state.failuresVersion = version;
    passKept(state);
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

  /** `isDisabled`: whether the call disabled the endpoint; undefined if it had no answer. */
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

  /** A call of the database failed. Everything is tried again after a while. */
  callFailed: (state: DeliveryState, _: undefined, moment: Moment) => pause(state, RETRY_MS, moment),

  /** No more attempts begin. */
  ended(state: DeliveryState) {
    if (state.phase === 'delivering') state.phase = 'ending';
  },

  /** Stops storing: the place of the endpoint is no longer the stored one, or everything is stored. */
  restarted(state: DeliveryState) {
    state.phase = 'over';
  },
};

/** The known state of a failure, after it was read. */
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
    // A retry was requested before the last attempt is stored, which would replace it.
    const failure = { ...known.failure, nextAttemptAtMs: known.failure.lastFailedAtMs };
    unsaved.set(sequence, failure);
    return { failure, dueMs: monotonicMs, storedNextMs };
  }
  // If the clock was set back since, it does not wait until then.
  const leftMs = storedNextMs === null ? NEVER : storedNextMs - Math.max(nowMs, lastFailedAtMs);
  const dueMs = leftMs === NEVER ? NEVER : monotonicMs + Math.min(leftMs, MAX_DELAY_MS);
  return { failure: stored, dueMs, storedNextMs };
}
