/** How often the limit is looked at: often enough to follow a burst, with enough answers to judge by. */
const INTERVAL_MS = 100;
/** So many are always let in: enough to keep every connection to a database busy, and to notice that it answers again. */
const LEAST = 16;

/** So many beyond the limit are let in of callers that have none in flight: one caller can't take every place. */
const RESERVED = 16;

export interface ConcurrencyLimitOptions {
  /** How long the quickest answers may take before it is taken that requests stand in line. */
  targetMs: number;
  /** The limit is never larger. */
  most: number;
}

/**
 * How many requests may be in hand at once, found by how long answers take: where even the quickest answer of a
 * while took longer than the target, a line stands before the store and fewer are let in; where the limit was
 * reached and answers are quick, more are.
 *
 * Units: `nowMs` is of a clock that only grows.
 * Source: the standing queue of CoDel (RFC 8289), with the steps of AIMD.
 */
export class ConcurrencyLimit {
  readonly #targetMs: number;
  readonly #most: number;
  #limit: number;
  #inHand = 0;
  #mostInHand = 0;
  #refusedSome = false;
  #quickestMs = Number.POSITIVE_INFINITY;
  #nextLookMs = 0;

  constructor({ targetMs, most }: ConcurrencyLimitOptions) {
    this.#targetMs = targetMs;
    this.#most = most;
    this.#limit = most;
  }

  get limit(): number {
    return this.#limit;
  }

  get inHand(): number {
    return this.#inHand;
  }

  /**
   * Takes one more in hand, unless there are too many; each that was taken is to be ended. `isOnlyOne` says whether
   * its caller has no other.
   */
  begin(isOnlyOne = false): boolean {
    if (this.#inHand >= this.#limit + (isOnlyOne ? RESERVED : 0)) {
      this.#refusedSome = true;
      return false;
    }
    this.#inHand++;
    if (this.#inHand > this.#mostInHand) this.#mostInHand = this.#inHand;
    return true;
  }

  /** `askedStore` says whether its time tells how long the store takes: one that was refused early does not. */
  end(beganAtMs: number, nowMs: number, askedStore: boolean): void {
    this.#inHand--;
    const tookMs = nowMs - beganAtMs;
    if ((askedStore || tookMs > this.#targetMs) && tookMs < this.#quickestMs) this.#quickestMs = tookMs;
    if (nowMs >= this.#nextLookMs) this.#look(nowMs);
  }

  #look(nowMs: number): void {
    const quickestMs = this.#quickestMs;
    const tellsNothing = quickestMs === Number.POSITIVE_INFINITY;
    if (!tellsNothing && quickestMs > this.#targetMs) {
      this.#limit = Math.max(LEAST, Math.floor(Math.min(this.#limit, this.#mostInHand) * 0.75));
    } else if (this.#refusedSome) {
      this.#limit = Math.min(this.#most, Math.ceil(this.#limit * 1.25));
    }
    // What a step changes is seen one answer later.
    this.#nextLookMs = nowMs + (tellsNothing ? INTERVAL_MS : Math.max(INTERVAL_MS, quickestMs));
    this.#quickestMs = Number.POSITIVE_INFINITY;
    this.#mostInHand = this.#inHand;
    this.#refusedSome = false;
  }
}
