/** How often the limit is adjusted: often enough to follow a burst, with enough responses to judge by. */
const INTERVAL_MS = 100;
/** Keeps every database connection busy, and is enough to notice that a failed database answers again. */
const MIN_LIMIT = 16;
/** Places beyond the limit for callers with nothing in flight, so that one caller cannot take every place. */
const RESERVED = 16;

interface ConcurrencyLimitOptions {
  /** If even the fastest response takes longer, requests queue before the store. */
  targetMs: number;
  maxLimit: number;
}

/**
 * Limits the requests in flight, by how long responses take. The limit falls when even the fastest response of an
 * interval took longer than the target, because then requests queue before the store. The limit rises when requests
 * were refused and responses are fast.
 *
 * Units: `nowMs` is the time of a monotonic clock.
 * Source: the standing queue of CoDel (RFC 8289), with the steps of AIMD.
 */
export class ConcurrencyLimit {
  readonly #targetMs: number;
  readonly #maxLimit: number;
  #limit: number;
  #inFlight = 0;
  #maxInFlight = 0;
  #hasRefused = false;
  #fastestMs = Number.POSITIVE_INFINITY;
  #nextAdjustmentMs = 0;

  constructor({ targetMs, maxLimit }: ConcurrencyLimitOptions) {
    this.#targetMs = targetMs;
    this.#maxLimit = maxLimit;
    this.#limit = maxLimit;
  }

  get limit(): number {
    return this.#limit;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Admits a request, which must be ended, or refuses it. `isOnlyOne`: its caller has no other request in flight. */
  begin(isOnlyOne = false): boolean {
    if (this.#inFlight >= this.#limit + (isOnlyOne ? RESERVED : 0)) {
      this.#hasRefused = true;
      return false;
    }
    this.#inFlight++;
    if (this.#inFlight > this.#maxInFlight) this.#maxInFlight = this.#inFlight;
    return true;
  }

  /** `usedStore`: the time of the response shows how fast the store is. An early refusal does not. */
  end(beganAtMs: number, nowMs: number, usedStore: boolean): void {
    this.#inFlight--;
    const tookMs = nowMs - beganAtMs;
    if ((usedStore || tookMs > this.#targetMs) && tookMs < this.#fastestMs) this.#fastestMs = tookMs;
    if (nowMs >= this.#nextAdjustmentMs) this.#adjust(nowMs);
  }

  #adjust(nowMs: number): void {
    const fastestMs = this.#fastestMs;
    const isUnknown = fastestMs === Number.POSITIVE_INFINITY;
    if (!isUnknown && fastestMs > this.#targetMs) {
      this.#limit = Math.max(MIN_LIMIT, Math.floor(Math.min(this.#limit, this.#maxInFlight) * 0.75));
    } else if (this.#hasRefused) {
      this.#limit = Math.min(this.#maxLimit, Math.ceil(this.#limit * 1.25));
    }
    // The effect of a step is visible one response later.
    this.#nextAdjustmentMs = nowMs + (isUnknown ? INTERVAL_MS : Math.max(INTERVAL_MS, fastestMs));
    this.#fastestMs = Number.POSITIVE_INFINITY;
    this.#maxInFlight = this.#inFlight;
    this.#hasRefused = false;
  }
}
