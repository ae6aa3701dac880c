import type { AttemptResult } from './attempt-result.ts';
import { boundedRetryAfter, probeDelay, type RandomNumber } from './attempt-schedule.ts';
import type { DeliveryClock } from './kept-failures.ts';

/** An endpoint is disabled when every attempt has failed for this time. */
export const DISABLE_AFTER_MS = 5 * 86_400_000;
/** For this time of it, this process has seen it by the monotonic clock: a clock that is set disables no endpoint. */
const SEEN_FAILING_MS = 3_600_000;

/** Whether a receiver works, as attempts show it: when the next attempt can be, and whether the endpoint is paused. */
export class ReceiverState {
  readonly #clock: DeliveryClock;
  readonly #random: RandomNumber;
  #failingSinceMs: number | null;
  #seenFailingMs: number | null = null;
  #failuresInRow = 0;
  #probes: number | null = null;
  /** By the monotonic clock. */
  #nextMs = Number.NEGATIVE_INFINITY;
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: DeliveryClock, random: RandomNumber, failingSinceMs: number | null) {
    this.#clock = clock;
    this.#random = random;
    this.#failingSinceMs = failingSinceMs;
  }

  /** Since when every attempt has failed; null if the last one succeeded. */
  get failingSinceMs(): number | null {
    return this.#failingSinceMs;
  }

  /** Whether the endpoint gets nothing but probes. */
  get isHeldBack(): boolean {
    return this.#probes !== null;
  }

  /** Whether the receiver asked for a pause, by Retry-After. */
  get isPaused(): boolean {
    return this.#pausedUntilMs > this.#clock.monotonicMs();
  }

  /** How many probes have failed. */
  get probes(): number {
    return this.#probes ?? 0;
  }

  /** Until an attempt may begin; 0 or less if one may now. */
  get waitMs(): number {
    return this.#nextMs - this.#clock.monotonicMs();
  }

  /** Whether every attempt has failed for DISABLE_AFTER_MS. */
  get hasFailedForLong(): boolean {
    if (this.#failingSinceMs === null || this.#seenFailingMs === null) return false;
    return (
      this.#clock.now() - this.#failingSinceMs >= DISABLE_AFTER_MS &&
      this.#clock.monotonicMs() - this.#seenFailingMs >= SEEN_FAILING_MS
    );
  }

  /** An attempt succeeded. Returns whether the endpoint was paused. */
  noteDelivered(): boolean {
    const wasHeldBack = this.isHeldBack;
    this.#failingSinceMs = null;
    this.#seenFailingMs = null;
    this.#failuresInRow = 0;
    this.#probes = null;
    this.noteChanged();
    return wasHeldBack;
  }

  /**
   * An attempt failed. With `holdBackFrom` failures in a row, the endpoint is paused; with null, it is not. Attempts that were in flight when
   * it was paused are no probes: they do not make the time to the next probe longer.
   */
  noteFailed({ retryAfterMs, isPaused }: AttemptResult, holdBackFrom: number | null, isProbe: boolean): void {
    // The clock may have been set back since.
    this.#failingSinceMs = Math.min(this.#failingSinceMs ?? Number.POSITIVE_INFINITY, this.#clock.now());
    this.#seenFailingMs ??= this.#clock.monotonicMs();
    this.#failuresInRow++;
    if (holdBackFrom === null) this.#probes = null;
    else if (this.#probes !== null) this.#probes += isProbe ? 1 : 0;
    else if (this.#failuresInRow >= holdBackFrom) this.#probes = 0;
    if (this.#probes !== null) this.pause(probeDelay(this.#probes, retryAfterMs, this.#random));
    else if (isPaused) {
      this.pause(boundedRetryAfter(retryAfterMs));
      this.#pausedUntilMs = this.#nextMs;
    }
  }

  /** The owner has changed the endpoint, or a test was delivered: an attempt may begin at once. */
  noteChanged(): void {
    this.#nextMs = Number.NEGATIVE_INFINITY;
    this.#pausedUntilMs = Number.NEGATIVE_INFINITY;
  }

  /** No attempt begins for a time. */
  pause(milliseconds: number): void {
    this.#nextMs = Math.max(this.#nextMs, this.#clock.monotonicMs() + milliseconds);
  }
}
