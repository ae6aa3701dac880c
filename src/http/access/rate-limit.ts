import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../core/access/authenticate.ts';
import { type Admission, type RateLimit, TokenBuckets } from '../../core/access/rate-limit.ts';
import { Problem } from '../problems/problem.ts';
import { callerNetwork } from './caller-address.ts';

/** More keys and networks than are active at once; a bucket takes about 200 bytes. */
const MAX_BUCKETS = 100_000;

export interface RateLimits {
  /** Of each key, or null for no limit. */
  rateLimit: RateLimit | null;
  /** Of each IPv4 address and each /64 network of IPv6, for requests without a usable key; null for no limit. */
  failedAuthenticationRateLimit: RateLimit | null;
}

export interface RateLimiter {
  /** Throws: `rate_limited` where the caller's key has used up its requests. */
  countRequest(caller: Caller, reply: FastifyReply): void;
  /** Throws: `rate_limited` where the caller's network has used up its failures. */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  /** Takes back a failure that was counted before it was known to be none. */
  takeBackFailure(request: FastifyRequest, reply: FastifyReply): void;
}

/** Counts requests by key and failed authentications by network, each process for itself. */
export function createRateLimiter(limits: RateLimits, monotonicMs: () => number): RateLimiter {
  const counter = (policy: string, limit: RateLimit | null, who: string) => {
    if (limit === null) return { count: () => {}, takeBack: () => {} };
    const buckets = new TokenBuckets(limit, MAX_BUCKETS);
    const announced = `"${policy}";q=${limit.burst};w=${Math.ceil(limit.burst / limit.perSecond)}`;
    const count = (name: string, reply: FastifyReply) => {
      const admission = buckets.take(name, monotonicMs());
      // Source: draft-ietf-httpapi-ratelimit-headers-10.
      reply.header('ratelimit-policy', announced);
      reply.header('ratelimit', `"${policy}";r=${admission.remaining};t=${secondsToWait(admission)}`);
      if (!admission.admitted) throw rateLimited(who, limit, admission);
    };
    const takeBack = (name: string, reply: FastifyReply) => {
      buckets.giveBack(name);
      reply.removeHeader('ratelimit-policy');
      reply.removeHeader('ratelimit');
    };
    return { count, takeBack };
  };
  const requests = counter('key', limits.rateLimit, 'This API key');
  const failures = counter(
    'address',
    limits.failedAuthenticationRateLimit,
    'This address, without a usable key,',
  );
  return {
    countRequest: ({ keyId }, reply) => requests.count(keyId, reply),
    countFailure: (request, reply) => failures.count(callerNetwork(request), reply),
    takeBackFailure: (request, reply) => failures.takeBack(callerNetwork(request), reply),
  };
}

function secondsToWait({ retryAfterMs }: Admission): number {
  return Math.ceil(retryAfterMs / 1000);
}

function rateLimited(who: string, { perSecond, burst }: RateLimit, admission: Admission): Problem {
  const seconds = secondsToWait(admission);
  return new Problem(
    'rate_limited',
    `${who} may send ${perSecond} requests a second, and ${burst} at once after a rest. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
