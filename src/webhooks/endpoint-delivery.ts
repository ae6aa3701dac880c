import type { Change } from '../ledger/changes/change.ts';
import { changeType } from '../ledger/changes/format-change.ts';
import { HistoryChanged, SequenceAhead } from '../ledger/changes/list-changes.ts';
import { withinTime } from '../values/time-limit.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { Attempting } from './attempt-slots.ts';
import type { DeliveryDependencies } from './delivery-dependencies.ts';
import { DeliveryPlace } from './delivery-place.ts';
import type { DeliveryState, Work } from './delivery-state.ts';
import { Disabling } from './disabling.ts';
import { FreshChanges } from './fresh-changes.ts';
import { KeptFailures } from './kept-failures.ts';
import { loadFailures, readKeptChange } from './load-failures.ts';
import { makeAttempt } from './make-attempt.ts';
import { noteDelivered, noteFailed } from './note-result.ts';
import { canRead, pickWork, waitForWork } from './pick-work.ts';
import { CALL_TIMEOUT_MS, ProgressWriter } from './progress-writer.ts';
import { ReceiverState } from './receiver-state.ts';
import { setBackToHead } from './set-back.ts';
import type { DeliverableEndpoint } from './webhook.ts';

/** After a failed call of the database. */
const RETRY_MS = 1000;

/**
 * Delivers the changes of an account to one endpoint: a window of attempts, each change acknowledged when it is settled, failures kept
 * apart, and nothing but probes while the receiver is down.
 */
export class EndpointDelivery implements Attempting, DeliveryState {
  readonly place: DeliveryPlace;
  readonly failures: KeptFailures;
  readonly receiver: ReceiverState;
  readonly progress: ProgressWriter;
  readonly fresh: FreshChanges;
  /** The attempts in flight, by the sequence numbers of their changes. */
  readonly working = new Map<number, Work>();
  readonly #dependencies: DeliveryDependencies;
  readonly #disabling: Disabling;
  /** Of the attempts in flight: one for each, so that none keeps what another added to its signal. */
  readonly #aborts = new Set<AbortController>();
  #endpoint: DeliverableEndpoint;
  #loading: 'needed' | 'running' | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isEnding = false;
  #onIdle = () => {};

  constructor(endpoint: DeliverableEndpoint, dependencies: DeliveryDependencies) {
    this.#endpoint = endpoint;
    this.#dependencies = dependencies;
    const { acknowledgedSequence, failingSinceMs, hasFailures, version } = endpoint;
    this.place = new DeliveryPlace(acknowledgedSequence);
    this.fresh = new FreshChanges(acknowledgedSequence);
    this.failures = new KeptFailures(dependencies, version);
    this.#disabling = new Disabling(dependencies);
    this.receiver = new ReceiverState(dependencies, dependencies.random, failingSinceMs);
    this.#loading = hasFailures ? 'needed' : undefined;
    this.progress = new ProgressWriter({
      store: dependencies.store,
      source: this,
      pace: dependencies.pace,
      onWritten: (error) => {
        if (error !== undefined) dependencies.hooks.onError(error);
        this.changed();
      },
      onRefused: () => this.restart(),
    });
  }

  get endpoint(): DeliverableEndpoint {
    return this.#endpoint;
  }

  get inFlight(): number {
    return this.working.size;
  }

  get wantsAttempt(): boolean {
    return this.#pick() !== undefined;
  }

  /** Whether it ended, or does nothing until it is ended. */
  get isOver(): boolean {
    return this.#isEnding;
  }

  /** Looks for what can be done now. Call it when anything has changed. */
  changed(): void {
    if (this.#isEnding) return;
    clearTimeout(this.#timer);
    if (this.#loading === undefined && this.failures.isIncomplete) this.#loading = 'needed';
    if (this.#disabling.isWanted && this.inFlight === 0) void this.#disable();
    this.#requestRead();
    if (this.wantsAttempt) this.#dependencies.slots.request(this);
    else this.#wakeLater();
    this.progress.note();
  }

  /** There are changes, or may be. `headSequence`: the largest number of the account, if it is known. */
  noteChanges(headSequence?: number): void {
    if (headSequence === undefined) this.fresh.note();
    else this.fresh.noteHead(headSequence);
    if (this.fresh.isReadable) this.changed();
  }

  /** The owner changed a property, or asked for a retry; or another instance stored progress. */
  update(endpoint: DeliverableEndpoint): void {
    const { version, acknowledgedSequence, hasFailures } = endpoint;
    const isChanged = version !== this.#endpoint.version;
    const isMoved = acknowledgedSequence > this.place.acknowledged;
    this.#endpoint = endpoint;
    this.progress.noteStored(acknowledgedSequence);
    this.place.advance(acknowledgedSequence);
    this.fresh.advance(acknowledgedSequence);
    if (isChanged) {
      this.receiver.noteChanged();
      this.#disabling.reset();
    }
    this.#passKept();
    if (isChanged || isMoved || (hasFailures && this.failures.count === 0)) this.reload();
    else this.changed();
  }

  /** Reads the failures again: the owner or another instance may have changed them. */
  reload(): void {
    if (this.#endpoint.hasFailures || this.failures.count > 0) this.#loading = 'needed';
    else this.failures.version = this.#endpoint.version;
    this.changed();
  }

  /** Begins no attempts. Those in flight are aborted after a time, and progress is stored. */
  async end(graceMs: number): Promise<void> {
    this.#stop();
    if (graceMs === 0) this.#abort();
    const timer = setTimeout(() => this.#abort(), graceMs);
    const idle = Promise.withResolvers<void>();
    this.#onIdle = idle.resolve;
    if (this.inFlight > 0) await idle.promise;
    clearTimeout(timer);
    await this.progress.finish();
  }

  /** Its place is no longer the stored one: it stores nothing any more, and waits to be ended. */
  restart(): void {
    this.#stop();
    this.progress.stop();
    this.#abort();
    this.#dependencies.refresh();
  }

  startAttempt(): Promise<void> | undefined {
    const work = this.#pick();
    if (work === undefined) return undefined;
    if (work.change !== null) this.fresh.take(work.change);
    this.working.set(work.sequence, work);
    this.#requestRead();
    return this.#attempt(work).then(() => this.changed());
  }

  #abort(): void {
    for (const abort of this.#aborts) abort.abort();
  }

  #stop(): void {
    this.#isEnding = true;
    clearTimeout(this.#timer);
    this.#dependencies.slots.forget(this);
    this.#dependencies.reads.forget(this);
  }

  #pick(): Work | undefined {
    if (this.#isEnding || this.#loading !== undefined || this.#disabling.isWanted) return undefined;
    return this.#dependencies.isLeased() ? pickWork(this) : undefined;
  }

  #wakeLater(): void {
    const waitMs = waitForWork(this);
    if (waitMs < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.changed(), waitMs);
  }

  async #attempt(work: Work): Promise<void> {
    const { store } = this.#dependencies;
    const endpoint = this.#endpoint;
    const abort = new AbortController();
    this.#aborts.add(abort);
    try {
      const change = work.change ?? (await readKeptChange(store, endpoint.account, work.sequence));
      if (change === undefined) return this.#noteMissing(work);
      const result = await makeAttempt(this.#dependencies, endpoint, change, abort.signal);
      if (result === undefined) this.#undo(work);
      else this.#note(work, change.nonce, result, endpoint.version);
    } catch (error) {
      this.#undo(work);
      this.#noteError(error);
    } finally {
      this.#aborts.delete(abort);
      this.working.delete(work.sequence);
      if (this.inFlight === 0) this.#onIdle();
    }
  }

  #note(work: Work, nonce: number, result: AttemptResult, version: number): void {
    const { hooks } = this.#dependencies;
    const wasHeldBack = this.receiver.isHeldBack;
    if (result.outcome === 'delivered') noteDelivered(this, work, nonce);
    // A retry was requested after it began, or another instance has stored the failure.
    else if (this.failures.get(work.sequence) !== work.failure) this.#undo(work);
    else if (result.outcome === 'gone') {
      this.#undo(work);
      // The receiver of another address may be gone.
      if (version === this.#endpoint.version) this.#disabling.want('gone');
    } else {
      noteFailed(this, work, nonce, result, this.#dependencies);
      if (this.receiver.hasFailedForLong) this.#disabling.want('failing');
    }
    if (this.receiver.isHeldBack !== wasHeldBack) hooks.onHeldBack(this.#endpoint, !wasHeldBack);
  }

  /** The attempt does not count: its failure stays, or its change is again one of the next. */
  #undo({ change }: Work): void {
    if (change !== null) this.fresh.putBack(change);
    this.#passKept();
  }

  #noteMissing({ sequence }: Work): void {
    this.failures.remove(sequence, true);
    this.#dependencies.hooks.onMissing(this.#endpoint, sequence);
  }

  /** Most errors are those of a database that does not answer now. Everything is tried again after a while. */
  #noteError(error: unknown): void {
    this.#dependencies.hooks.onError(error);
    this.receiver.pause(RETRY_MS);
  }

  /** Reads what is needed next, unless nothing can be attempted before a time anyway. */
  #requestRead(): void {
    const { reads } = this.#dependencies;
    if (this.#isEnding || this.#disabling.isWanted || this.receiver.waitMs > 0) return;
    if (this.#loading === 'needed') reads.request(this, () => this.#load());
    else if (this.#loading === undefined && canRead(this)) reads.request(this, () => this.#read());
  }

  async #load(): Promise<void> {
    const { store } = this.#dependencies;
    this.#loading = 'running';
    const { version } = this.#endpoint;
    try {
      const loaded = await loadFailures(store, this.#endpoint, this.place.acknowledged);
      if (loaded === undefined) return this.restart();
      this.failures.load(loaded, version);
      // Otherwise they have changed meanwhile.
      if (this.#loading === 'running') this.#loading = undefined;
      this.#passKept();
    } catch (error) {
      this.#loading = 'needed';
      this.#noteError(error);
    }
    this.changed();
  }

  async #read(): Promise<void> {
    const { account } = this.#endpoint;
    const isWanted = (change: Change) =>
      this.#endpoint.types?.includes(changeType(change)) !== false && !this.#isKept(change);
    try {
      const reading = this.fresh.read(this.#dependencies.store, account, isWanted, this.place);
      await withinTime(reading, CALL_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof SequenceAhead || error instanceof HistoryChanged)
        await this.#setBack(error.headSequence);
      else this.#noteError(error);
    }
    this.changed();
  }

  /** The change is a failure that has its own attempts, and holds up no others. */
  #isKept({ sequence }: Change): boolean {
    return !this.#endpoint.ordered && this.failures.get(sequence) !== undefined;
  }

  #passKept(): void {
    for (const change of this.fresh.drop((one) => this.#isKept(one))) this.place.settle(change);
  }

  /** The account does not have all changes that were delivered: an older state of the database was restored. */
  async #setBack(headSequence: number): Promise<void> {
    const { store, hooks } = this.#dependencies;
    const from = this.place.acknowledged;
    try {
      const to = await withinTime(setBackToHead(store, this.#endpoint, headSequence), CALL_TIMEOUT_MS);
      if (to !== undefined) hooks.onSetBack(this.#endpoint, { from, to });
      this.restart();
    } catch (error) {
      this.#noteError(error);
    }
  }

  async #disable(): Promise<void> {
    if (await this.#disabling.run(this.#endpoint)) return;
    clearTimeout(this.#timer);
    if (!this.#isEnding) this.#timer = setTimeout(() => this.changed(), RETRY_MS);
  }
}
