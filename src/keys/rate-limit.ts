/** How many requests are admitted: `perSecond` on average, and `burst` at once after a pause. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface Admission {
  admitted: boolean;
  /** How many more requests would be admitted now. */
  remaining: number;
  /** Milliseconds until a request is admitted again; 0 if this one is admitted. */
  retryAfterMs: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * A token bucket for each name, in bounded memory. A full bucket is the same as a new one, so it is dropped.
 *
 * Units: `nowMs` is the time of a monotonic clock.
 */
export class TokenBuckets {
  readonly limit: RateLimit;
  readonly #maxBuckets: number;
  /** Ordered by last use. */
  readonly #buckets = new Map<string, Bucket>();
  #droppedAtMs = Number.NEGATIVE_INFINITY;

  constructor(limit: RateLimit, maxBuckets: number) {
    this.limit = limit;
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes tokens from the name's bucket, if it has as many. A request that costs more than the bucket holds takes all. */
  take(name: string, nowMs: number, cost = 1): Admission {
    const needed = Math.min(cost, this.limit.burst);
    const bucket = this.#fill(name, nowMs);
    const admitted = bucket.tokens >= needed;
    if (admitted) bucket.tokens -= needed;
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    this.#dropFull(nowMs);
    return {
      admitted,
      remaining: Math.floor(bucket.tokens),
      retryAfterMs: admitted ? 0 : Math.ceil(((needed - bucket.tokens) / this.limit.perSecond) * 1000),
    };
  }

  /** Returns a token to the name's bucket. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    // A bucket that was dropped is full.
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

  /** Drops the buckets that are full, and the least recently used one if there are too many. */
  #dropFull(nowMs: number): void {
    const fillMs = (this.limit.burst / this.limit.perSecond) * 1000;
    // Deleted entries leave gaps at the start of the map: stepping over them at each request would cost more with more names.
    const isDue = nowMs - this.#droppedAtMs >= fillMs / 8;
    if (!isDue && this.#buckets.size <= this.#maxBuckets) return;
    this.#droppedAtMs = nowMs;
    for (const [name, { filledAtMs }] of this.#buckets) {
      if (this.#buckets.size <= this.#maxBuckets && nowMs - filledAtMs < fillMs) return;
      this.#buckets.delete(name);
    }
  }
}
