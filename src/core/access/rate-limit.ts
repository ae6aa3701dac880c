/** How many requests are taken: so many a second on the long run, and `burst` at once after a rest. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface Admission {
  admitted: boolean;
  /** How many more would be admitted now. */
  remaining: number;
  /** Milliseconds until one is admitted again; 0 where one was. */
  retryAfterMs: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket for each name, in bounded memory: a bucket that nobody used until it was full again is
 * the same as a new one, and is forgotten.
 *
 * Units: `nowMs` is of a clock that only grows.
 */
export class TokenBuckets {
  readonly limit: RateLimit;
  readonly #maxBuckets: number;
  /** In the order of their last use. */
  readonly #buckets = new Map<string, Bucket>();
  #forgotAtMs = Number.NEGATIVE_INFINITY;

  constructor(limit: RateLimit, maxBuckets: number) {
    this.limit = limit;
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes one token of the name's bucket, where it has one. */
  take(name: string, nowMs: number): Admission {
    const bucket = this.#fill(name, nowMs);
    const admitted = bucket.tokens >= 1;
    if (admitted) bucket.tokens--;
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    this.#forget(nowMs);
    return {
      admitted,
      remaining: Math.floor(bucket.tokens),
      retryAfterMs: admitted ? 0 : Math.ceil(((1 - bucket.tokens) / this.limit.perSecond) * 1000),
    };
  }

  /** Gives back a token that was taken of the name's bucket. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    // A bucket that was forgotten meanwhile is full.
    if (bucket !== undefined) bucket.tokens = Math.min(this.limit.burst, bucket.tokens + 1);
  }

  #fill(name: string, nowMs: number): Bucket {
    const { perSecond, burst } = this.limit;
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) return { tokens: burst, filledAtMs: nowMs };
    const earned = (Math.max(0, nowMs - bucket.filledAtMs) / 1000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
    return bucket;
  }

  /** Drops the buckets that are full again, and the longest unused one where there are too many. */
  #forget(nowMs: number): void {
    const fillMs = (this.limit.burst / this.limit.perSecond) * 1000;
    // A map that is always appended to begins with gaps, and to step over them at each request grows with the names.
    const isDue = nowMs - this.#forgotAtMs >= fillMs / 8;
    if (!isDue && this.#buckets.size <= this.#maxBuckets) return;
    this.#forgotAtMs = nowMs;
    for (const [name, { filledAtMs }] of this.#buckets) {
      if (this.#buckets.size <= this.#maxBuckets && nowMs - filledAtMs < fillMs) return;
      this.#buckets.delete(name);
    }
  }
}
