import { MAX_FAILURES } from '../../../values/interface/limits.ts';
import { withinTime } from '../../../values/time-limit.ts';
import { type Change, changeId } from '../../ledger/changes/change.ts';
import { listChanges, NotInHistory } from '../../ledger/changes/changes.ts';
import { shownDetails } from '../../ledger/transaction.ts';
import { type DeliverableEndpoint, webhookChanged, webhookReplayed } from '../webhook.ts';
import { changeMessage, signedHeaders } from '../webhook-message.ts';
import type { Attempting } from './attempt-slots.ts';
import { ATTEMPT_TIMEOUT_MS, type AttemptResult, attemptResult } from './attempts.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import {
  beginDelivery,
  checkDelivery,
  type DeliveryState,
  isPaused,
  NEVER,
  type Work,
} from './delivery-state.ts';
import { nextAttempt, nextCall, nextTimeMs, unsavedProgress } from './next-step.ts';
import { type Effects, type Moment, TRANSITIONS } from './transitions.ts';

/** A call that takes longer than this counts as failed, but may still take effect. */
export const CALL_TIMEOUT_MS = 3000;
const PAGE_CHANGES = 64;
/** Progress waits this long before it is stored, so that one write covers many deliveries. */
const STORE_DELAY_MS = 1000;
/** Each endpoint that already waits to store adds this to the delay. */
const DELAY_OF_ANOTHER_MS = 5;
const MIN_RETRY_MS = 1000;
const MAX_RETRY_MS = 10_000;
/** Details that were read longer ago than this are read again before an attempt: they may be removed. */
const FRESH_MS = 1000;
const SLOW_MS = 1000;

const NOTHING = () => {};

type Transitions = typeof TRANSITIONS;

type EventOf<Name extends keyof Transitions> =
  Parameters<Transitions[Name]> extends [DeliveryState, infer Event, ...unknown[]]
    ? undefined extends Event
      ? [event?: Event]
      : [event: Event]
    : [];

export class EndpointDelivery implements Attempting {
  readonly state: DeliveryState;
  readonly #dependencies: DeliveryDependencies;
  /** One controller for each attempt, so that the listeners of its signal are freed with the attempt. */
  #aborts: readonly AbortController[] | undefined;
  #timer: NodeJS.Timeout | undefined;
  #storeTimer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;
  #onIdle = NOTHING;

  constructor(endpoint: DeliverableEndpoint, dependencies: DeliveryDependencies) {
    this.state = beginDelivery(endpoint);
    this.#dependencies = dependencies;
  }

  get endpoint(): DeliverableEndpoint {
    return this.state.endpoint;
  }

  get inFlight(): number {
    return this.state.attempts.size;
  }

  get isQuick(): boolean | null {
    return this.state.receiver.isQuick;
  }

  /** If an invariant is broken, this delivery ends, and a new one begins with the stored state. */
  apply<Name extends keyof Transitions>(name: Name, ...[event]: EventOf<Name>): void {
    const { state } = this;
    const { hooks, now, monotonicMs, random } = this.#dependencies;
    const wasPaused = isPaused(state);
    const transition = TRANSITIONS[name] as (
      _: DeliveryState,
      event: unknown,
      at: Moment,
    ) => Effects | undefined;
    try {
      const { kept, missing, disabled } =
        transition(state, event, { nowMs: now(), monotonicMs: monotonicMs(), random }) ?? {};
      if (kept !== undefined) hooks.onFailure(state.endpoint, kept);
      if (missing !== undefined) hooks.onMissing(state.endpoint, missing);
      if (disabled !== undefined) hooks.onDisabled(state.endpoint, disabled);
      if (isPaused(state) !== wasPaused) hooks.onPaused(state.endpoint, !wasPaused);
      checkDelivery(state);
    } catch (error) {
      hooks.onError(error);
      state.phase = 'over';
    }
    this.continue();
  }

  continue(): void {
    const { state } = this;
    const { slots, reads, monotonicMs } = this.#dependencies;
    clearTimeout(this.#timer);
    if (this.inFlight === 0) this.#onIdle();
    if (state.phase !== 'delivering') {
      this.#stop();
      return;
    }
    const nowMs = monotonicMs();
    const call = nextCall(state, nowMs);
    if (call === 'disable') void this.#disable();
    else if (call === 'load') reads.request(this, () => this.#load());
    else if (call === 'read') reads.request(this, () => this.#read());
    this.#storeLater();
    const isReady = this.#nextAttempt() !== undefined;
    const atMs = isReady ? NEVER : nextTimeMs(state, nowMs);
    if (isReady) slots.request(this);
    else if (atMs < NEVER) this.#timer = setTimeout(() => this.continue(), Math.max(0, atMs - nowMs));
  }

  startAttempt(): Promise<void> | undefined {
    const work = this.#nextAttempt();
    if (work === undefined) return undefined;
    this.apply('begun', work);
    return this.#attempt(work);
  }

  /** Aborts the attempts that are still in flight after `graceMs`, and stores progress. */
  async end(graceMs: number): Promise<void> {
    const idle = Promise.withResolvers<void>();
    this.#onIdle = idle.resolve;
    this.apply('ended');
    const abort = () => {
      for (const one of this.#aborts ?? []) one.abort();
    };
    if (graceMs === 0) abort();
    const timer = setTimeout(abort, graceMs);
    await idle.promise;
    clearTimeout(timer);
    await this.#storing;
    await this.#store();
    this.apply('restarted');
  }

  /** This delivery stores no more progress. A new one will begin at the position that the database has. */
  restart(): void {
    this.apply('restarted');
    this.#dependencies.refresh(this.endpoint.account);
  }

  #stop(): void {
    this.#dependencies.slots.forget(this);
    this.#dependencies.reads.forget(this);
    this.#clearStoreTimer();
    if (this.state.phase === 'over') for (const abort of this.#aborts ?? []) abort.abort();
  }

  #nextAttempt(): Work | undefined {
    const { isLeased, monotonicMs } = this.#dependencies;
    return isLeased() ? nextAttempt(this.state, monotonicMs()) : undefined;
  }

  async #attempt(work: Work): Promise<void> {
    const { version } = this.endpoint;
    const abort = new AbortController();
    this.#aborts = [...(this.#aborts ?? []), abort];
    try {
      const change = this.#isFresh(work) ? work.change : await this.#readAgain(work);
      const sent = change === null ? undefined : await this.#send(change, abort.signal);
      this.#aborts = this.#aborts?.filter((one) => one !== abort);
      if (sent !== undefined) this.apply('answered', { work, attemptedVersion: version, ...sent });
      else if (change === null && work.change === null) this.apply('missing', work);
      else {
        if (change === null) this.restart();
        this.apply('undone', work);
      }
    } catch (error) {
      this.#aborts = this.#aborts?.filter((one) => one !== abort);
      this.#noteError(error);
      this.apply('undone', work);
    }
  }

  #isFresh({ change }: Work): boolean {
    if (change === null) return false;
    const readForMs = this.#dependencies.monotonicMs() - this.state.readMs;
    return shownDetails(change.transaction) === null || readForMs <= FRESH_MS;
  }

  /** Returns null if the change does not exist, because an older database was restored. */
  async #readAgain({ change, sequence }: Work): Promise<Change | null> {
    const query = { account: this.endpoint.account, after: sequence - 1, limit: 1 };
    try {
      const reading = listChanges(this.#dependencies.store, query);
      const [found] = (await withinTime(reading, CALL_TIMEOUT_MS)).changes;
      return found !== undefined && (change === null || change.nonce === found.nonce) ? found : null;
    } catch (error) {
      if (error instanceof NotInHistory) return null;
      throw error;
    }
  }

  async #send(
    change: Change,
    signal: AbortSignal,
  ): Promise<{ result: AttemptResult; isQuick: boolean } | undefined> {
    const { send, now, monotonicMs, hooks } = this.#dependencies;
    const { endpoint } = this;
    const message = changeMessage(endpoint.account, change);
    const headers = signedHeaders(message, endpoint, now());
    const startedMs = monotonicMs();
    // Reports a slow receiver before it responds, so that its slowness is known even if this instance dies.
    const slow = setTimeout(() => this.apply('slow'), SLOW_MS);
    const attempt = { url: endpoint.url, headers, body: message.body, timeoutMs: ATTEMPT_TIMEOUT_MS, signal };
    const result = attemptResult(await send(attempt));
    clearTimeout(slow);
    const { outcome } = result;
    const durationMs = monotonicMs() - startedMs;
    if (signal.aborted && outcome !== 'delivered') return undefined;
    const { sequence, nonce } = change;
    hooks.onAttempt(endpoint, { sequence, nonce, outcome, durationMs });
    return { result, isQuick: durationMs < SLOW_MS };
  }

  #noteError(error: unknown): void {
    this.#dependencies.hooks.onError(error);
    this.apply('callFailed');
  }

  async #load(): Promise<void> {
    const { account, id, version: versionBefore } = this.endpoint;
    this.apply('loading');
    try {
      const reading = this.#dependencies.store.listWebhookFailures(account, id, 0, 2 * MAX_FAILURES);
      this.apply('loaded', { stored: await withinTime(reading, CALL_TIMEOUT_MS), versionBefore });
    } catch (error) {
      this.#noteError(error);
      this.apply('loaded', { stored: null, versionBefore });
    }
  }

  async #read(): Promise<void> {
    const { account } = this.endpoint;
    const { readUpTo: after, readNonce: nonce } = this.state;
    const afterId = nonce === null ? undefined : changeId(account, { sequence: after, nonce });
    const query = { account, after, afterId, limit: PAGE_CHANGES };
    this.apply('reading');
    try {
      const page = await withinTime(listChanges(this.#dependencies.store, query), CALL_TIMEOUT_MS);
      this.apply('read', { after, page });
    } catch (error) {
      if (error instanceof NotInHistory) await this.#moveBack(error.headSequence);
      else this.#noteError(error);
      this.apply('read', { after, page: null });
    }
  }

  async #moveBack(headSequence: number): Promise<void> {
    const from = this.state.acknowledged;
    try {
      const to = await withinTime(this.#replayAfter(headSequence), CALL_TIMEOUT_MS);
      if (to !== undefined) this.#dependencies.hooks.onMovedBack(this.endpoint, { from, to });
      this.restart();
    } catch (error) {
      this.#noteError(error);
    }
  }

  async #replayAfter(headSequence: number): Promise<number | undefined> {
    const { store, stamp } = this.#dependencies;
    const found = await store.findWebhook(this.endpoint.account, this.endpoint.id);
    if (found === undefined) return undefined;
    const { failureCount: _, ...stored } = found;
    if (stored.acknowledgedSequence <= headSequence) return stored.acknowledgedSequence;
    const version = stored.version + 1;
    const replaced = { ...stored, version, replayVersion: version, acknowledgedSequence: headSequence };
    const entry = webhookReplayed(stored, headSequence, stamp());
    return (await store.replaceWebhook(replaced, 'replay', entry)) ? headSequence : undefined;
  }

  async #disable(): Promise<void> {
    const { store, now, stamp, hooks, refresh } = this.#dependencies;
    const { disabling } = this.state;
    const { endpoint } = this;
    if (disabling === undefined) return;
    this.apply('disabling', disabling);
    try {
      const disabled = { reason: disabling.reason, atMs: now() };
      const entry = webhookChanged(endpoint, { ...endpoint, disabled }, stamp());
      const call = store.disableWebhook(endpoint.account, endpoint.id, endpoint.version, disabled, entry);
      this.apply('disabled', { disabling, isDisabled: await withinTime(call, CALL_TIMEOUT_MS) });
      refresh(endpoint.account);
    } catch (error) {
      hooks.onError(error);
      this.apply('disabled', { disabling, isDisabled: undefined });
    }
  }

  #storeLater(): void {
    const { storing, failedWrites } = this.state;
    if (storing || this.#storeTimer !== undefined || unsavedProgress(this.state) === undefined) return;
    const { pace } = this.#dependencies;
    const retryMs = Math.min(MIN_RETRY_MS * 2 ** failedWrites, MAX_RETRY_MS);
    const delayMs = failedWrites > 0 ? retryMs : STORE_DELAY_MS + DELAY_OF_ANOTHER_MS * pace.waiting;
    pace.waiting++;
    this.#storeTimer = setTimeout(() => {
      this.#clearStoreTimer();
      this.#storing = this.#store();
    }, delayMs);
  }

  #clearStoreTimer(): void {
    if (this.#storeTimer === undefined) return;
    clearTimeout(this.#storeTimer);
    this.#storeTimer = undefined;
    this.#dependencies.pace.waiting--;
  }

  async #store(): Promise<void> {
    const { store, hooks, noteStored } = this.#dependencies;
    const { state } = this;
    const { account, id } = state.endpoint;
    const progress = unsavedProgress(state);
    if (progress === undefined || state.phase === 'over') return;
    this.apply('storing');
    try {
      const storing = store.storeProgress(account, id, state.failuresVersion, progress);
      if (await withinTime(storing, CALL_TIMEOUT_MS)) {
        noteStored(state.endpoint, state.stored.acknowledged);
        this.apply('stored', progress);
      } else this.restart();
    } catch (error) {
      hooks.onError(error);
      this.apply('notStored');
    }
  }
}
