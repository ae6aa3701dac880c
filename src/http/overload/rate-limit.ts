import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../values/caller.ts';
import { Problem } from '../../../values/problem.ts';
import { callerNetwork } from '../server/caller-address.ts';

/** More than the number of keys and networks that are active at once. A bucket takes about 200 bytes. */
const MAX_BUCKETS = 100_000;

interface RateLimits {
  /** Null means no limit. */
  rateLimit: RateLimit | null;
  /** Limits requests without a usable key, by IPv4 address or IPv6 /64 network. */
  failedAuthenticationRateLimit: RateLimit | null;
}

export interface RateLimiter {
  countRequest(caller: Caller, reply: FastifyReply, cost?: number): void;
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  uncountFailure(request: FastifyRequest, reply: FastifyReply): void;
}

/** Each process of the service counts separately. */
export function createRateLimiter(limits: RateLimits, monotonicMs: () => number): RateLimiter {
  const counter = (policy: string, limit: RateLimit | null, subject: string) => {
    if (limit === null) return { count: () => {}, uncount: () => {} };
    const buckets = new TokenBuckets(limit, MAX_BUCKETS);
    const policyHeader = `"${policy}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`;
    const count = (name: string, reply: FastifyReply, cost?: number) => {
      const admission = buckets.take(name, monotonicMs(), cost);
      // Source: draft-ietf-httpapi-ratelimit-headers-10.
      reply.header('ratelimit-policy', policyHeader);
      reply.header('ratelimit', `"${policy}";r=${admission.remaining};t=${retryAfterSeconds(admission)}`);
      if (!admission.admitted) throw rateLimited(subject, limit, admission);
    };
    const uncount = (name: string, reply: FastifyReply) => {
      buckets.giveBack(name);
      reply.removeHeader('ratelimit-policy');
      reply.removeHeader('ratelimit');
    };
    return { count, uncount };
  };
  const requests = counter('key', limits.rateLimit, 'This API key');
  const failures = counter(
    'address',
    limits.failedAuthenticationRateLimit,
    'This address, without a usable key,',
  );
  return {
    countRequest: ({ keyId }, reply, cost) => requests.count(keyId, reply, cost),
    countFailure: (request, reply) => failures.count(callerNetwork(request), reply),
    uncountFailure: (request, reply) => failures.uncount(callerNetwork(request), reply),
  };
}

function retryAfterSeconds({ retryAfterMs }: Admission): number {
  return Math.ceil(retryAfterMs / 1000);
}

function rateLimited(subject: string, { perSecond, burst }: RateLimit, admission: Admission): Problem {
  const seconds = retryAfterSeconds(admission);
  return new Problem(
    'rate_limited',
    `${subject} may send ${perSecond} requests a second, and ${burst} at once after a pause. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

/** `burst` is the number of requests that are admitted at once after a pause. */
interface RateLimit {
  perSecond: number;
  burst: number;
}

interface Admission {
  admitted: boolean;
  remaining: number;
  retryAfterMs: number;
}

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** `nowMs` is monotonic. A full bucket is the same as a new one, so it is dropped. */
export class TokenBuckets {
  readonly limit: RateLimit;
  readonly #maxBuckets: number;
  readonly #buckets = new Map<string, Bucket>();
  #droppedAtMs = Number.NEGATIVE_INFINITY;

  constructor(limit: RateLimit, maxBuckets: number) {
    this.limit = limit;
    this.#maxBuckets = maxBuckets;
  }

  get size(): number {
    return this.#buckets.size;
  }

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

  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
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

  #dropFull(nowMs: number): void {
    const fillMs = (this.limit.burst / this.limit.perSecond) * 1000;
    // Drops at intervals, not on each call, because iterating a Map is slow after many deletions.
    const isDue = nowMs - this.#droppedAtMs >= fillMs / 8;
    if (!isDue && this.#buckets.size <= this.#maxBuckets) return;
    this.#droppedAtMs = nowMs;
    for (const [name, { filledAtMs }] of this.#buckets) {
      if (this.#buckets.size <= this.#maxBuckets && nowMs - filledAtMs < fillMs) return;
      this.#buckets.delete(name);
    }
  }
}
