import { isUnavailable } from './attempt-result.ts';
import { MAX_DELAY_MS } from './attempt-schedule.ts';
import type { WebhookFailure } from './webhook.ts';

/** The failures that are read at a time. The others are read when their time comes. */
export const LOADED_FAILURES = 100;

const NEVER = Number.POSITIVE_INFINITY;

/** What is read of the failures of an endpoint. */
export interface StoredFailures {
  /** How many there are, with or without a next attempt. */
  count: number;
  /** Those with the earliest next attempts, at most LOADED_FAILURES. */
  pending: readonly WebhookFailure[];
  /** Those after the acknowledged sequence. */
  ahead: readonly WebhookFailure[];
}

export interface DeliveryClock {
  /** The wall clock, which can be set. */
  now: () => number;
  monotonicMs: () => number;
}

interface Entry {
  failure: WebhookFailure;
  /** By the monotonic clock, so that a failure waits no longer if the wall clock is set back. */
  dueMs: number;
  /** The next attempt as it is stored; undefined if that is not known. */
  storedNextMs: number | null | undefined;
}

type IsFree = (sequence: number) => boolean;

/** The failures of an endpoint, as far as they are in memory, and what of them is not stored yet. */
export class KeptFailures {
  readonly #clock: DeliveryClock;
  #count = 0;
  readonly #entries = new Map<number, Entry>();
  /** Failures that are not in memory are not due before this time of the monotonic clock. */
  #horizonMs = NEVER;
  /** What failed before this time of the wall clock is due. */
  #releasedMs = Number.NEGATIVE_INFINITY;
  readonly #unsavedFailed = new Map<number, WebhookFailure>();
  readonly #unsavedDelivered = new Set<number>();

  /** The version of the endpoint of which they are known. Retries can have been requested since. */
  version: number;

  constructor(clock: DeliveryClock, version: number) {
    this.#clock = clock;
    this.version = version;
  }

  /** How many there are, with or without a next attempt. */
  get count(): number {
    return this.#count;
  }

  get hasUnsaved(): boolean {
    return this.#unsavedFailed.size + this.#unsavedDelivered.size > 0;
  }

  /** Replaces what is known by what is stored. What is not stored yet stays. */
  load({ count, pending, ahead }: StoredFailures, version: number): void {
    this.version = version;
    const before = new Map(this.#entries);
    this.#entries.clear();
    for (const failure of [...ahead, ...pending]) {
      const { sequence } = failure;
      if (this.#unsavedDelivered.has(sequence)) continue;
      this.#entries.set(sequence, this.#merge(before.get(sequence), failure));
    }
    for (const sequence of this.#unsavedFailed.keys())
      if (!this.#entries.has(sequence)) this.#entries.set(sequence, before.get(sequence) as Entry);
    this.#count = Math.max(count - this.#unsavedDelivered.size, this.#entries.size);
    const last = pending.length < LOADED_FAILURES ? undefined : pending.at(-1);
    this.#horizonMs = last === undefined ? NEVER : this.#dueMs(last);
  }

  get(sequence: number): WebhookFailure | undefined {
    return this.#entries.get(sequence)?.failure;
  }

  /** How long until the next attempt of a failure; Infinity if it has none. */
  waitMs(sequence: number): number {
    return (this.#entries.get(sequence)?.dueMs ?? NEVER) - this.#clock.monotonicMs();
  }

  /** A change failed, for the first time or again. `delayMs`: until its next attempt; null if it has none. */
  put(failure: WebhookFailure, delayMs: number | null): void {
    const { sequence } = failure;
    if (!this.#entries.has(sequence)) this.#count++;
    const dueMs = delayMs === null ? NEVER : this.#clock.monotonicMs() + delayMs;
    const storedNextMs = this.#entries.get(sequence)?.storedNextMs;
    this.#entries.set(sequence, { failure, dueMs, storedNextMs });
    this.#unsavedFailed.set(sequence, failure);
    this.#unsavedDelivered.delete(sequence);
  }

  /** A change is delivered. `isStored`: it is known to be a failure, also if that is not in memory any more. */
  remove(sequence: number, isStored: boolean): void {
    if (!this.#entries.delete(sequence) && !isStored) return;
    this.#count = Math.max(this.#count - 1, this.#entries.size);
    this.#unsavedFailed.delete(sequence);
    this.#unsavedDelivered.add(sequence);
  }

  /** All that have a next attempt are due. */
  release(): void {
    this.#releasedMs = this.#clock.now();
    for (const entry of this.#entries.values()) if (entry.dueMs < NEVER) entry.dueMs = 0;
    if (this.#horizonMs < NEVER) this.#horizonMs = 0;
  }

  /** The failure that is due for the longest time, of those that are free. */
  due(isFree: IsFree): WebhookFailure | undefined {
    const nowMs = this.#clock.monotonicMs();
    return this.#earliest(({ failure, dueMs }) => dueMs <= nowMs && isFree(failure.sequence));
  }

  /** The failures whose delivery shows whether the receiver is up again: those that it did not refuse, and those that are due. */
  probes(isFree: IsFree): WebhookFailure[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#entries.values()]
      .filter(({ failure, dueMs }) => dueMs < NEVER && isFree(failure.sequence))
      .filter(({ failure, dueMs }) => isUnavailable(failure.responseStatus) || dueMs <= nowMs)
      .map(({ failure }) => failure);
  }

  /** How long until another one is due, or failures have to be loaded; Infinity if never. */
  nextWaitMs(isFree: IsFree): number {
    let nextMs = NEVER;
    for (const { failure, dueMs } of this.#entries.values())
      if (dueMs < nextMs && isFree(failure.sequence)) nextMs = dueMs;
    const nowMs = this.#clock.monotonicMs();
    return (nextMs <= nowMs ? nextMs : Math.min(nextMs, this.#horizonMs)) - nowMs;
  }

  /** Whether failures that are not in memory can be due. */
  get isIncomplete(): boolean {
    // Before everything is stored, the same ones would be read again.
    if (this.#horizonMs === NEVER || this.hasUnsaved) return false;
    const isDue = this.#horizonMs <= this.#clock.monotonicMs() && this.due(() => true) === undefined;
    return isDue || this.#entries.size < LOADED_FAILURES / 2;
  }

  /** What is to be stored. Call `saved` with it afterwards. */
  unsaved(): { failed: WebhookFailure[]; delivered: number[] } {
    return { failed: [...this.#unsavedFailed.values()], delivered: [...this.#unsavedDelivered] };
  }

  /** Forgets what is stored now, and has not changed since. */
  saved({ failed, delivered }: ReturnType<KeptFailures['unsaved']>): void {
    for (const failure of failed) {
      const { sequence, nextAttemptAtMs } = failure;
      const entry = this.#entries.get(sequence);
      if (entry !== undefined) entry.storedNextMs = nextAttemptAtMs;
      if (this.#unsavedFailed.get(sequence) === failure) this.#unsavedFailed.delete(sequence);
    }
    for (const sequence of delivered) this.#unsavedDelivered.delete(sequence);
  }

  /** What is known of a failure, after it was read. */
  #merge(known: Entry | undefined, stored: WebhookFailure): Entry {
    const { sequence, nextAttemptAtMs } = stored;
    if (known?.failure.nextAttemptAtMs === nextAttemptAtMs)
      return { ...known, storedNextMs: nextAttemptAtMs };
    if (known === undefined || !this.#unsavedFailed.has(sequence))
      return { failure: stored, dueMs: this.#dueMs(stored), storedNextMs: nextAttemptAtMs };
    if (known.storedNextMs === nextAttemptAtMs) return known;
    // A retry was requested before the last attempt is stored, which would replace it.
    const failure = { ...known.failure, nextAttemptAtMs: known.failure.lastFailedAtMs };
    this.#unsavedFailed.set(sequence, failure);
    return { failure, dueMs: this.#clock.monotonicMs(), storedNextMs: nextAttemptAtMs };
  }

  #dueMs({ nextAttemptAtMs, lastFailedAtMs }: WebhookFailure): number {
    if (nextAttemptAtMs === null) return NEVER;
    if (lastFailedAtMs < this.#releasedMs) return 0;
    // If the clock was set back since, it does not wait until then.
    const leftMs = nextAttemptAtMs - Math.max(this.#clock.now(), lastFailedAtMs);
    return this.#clock.monotonicMs() + Math.min(leftMs, MAX_DELAY_MS);
  }

  #earliest(isMatch: (entry: Entry) => boolean): WebhookFailure | undefined {
    let earliest: Entry | undefined;
    for (const entry of this.#entries.values())
      if ((earliest === undefined || entry.dueMs < earliest.dueMs) && isMatch(entry)) earliest = entry;
    return earliest?.failure;
  }
}
