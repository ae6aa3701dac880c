import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../values/caller.ts';
import { Problem } from '../../http/problems/problem.ts';
import { PROBLEMS } from '../../http/problems/problems.ts';
import { callerNetwork } from '../../http/server/caller-address.ts';
import { type Admission, type RateLimit, TokenBuckets } from '../rate-limit.ts';

/** More than the keys and networks that are active at the same time. A bucket takes about 200 bytes. */
const MAX_BUCKETS = 100_000;

interface RateLimits {
  /** For the requests of each key; null for no limit. */
  rateLimit: RateLimit | null;
  /** For requests without a usable key, of each IPv4 address and each /64 network of IPv6; null for no limit. */
  failedAuthenticationRateLimit: RateLimit | null;
}

export interface RateLimiter {
  /** Throws: `rate_limited` if the caller's key is over its limit. */
  countRequest(caller: Caller, reply: FastifyReply, cost?: number): void;
  /** Throws: `rate_limited` if the caller's network is over its limit. */
  countFailure(request: FastifyRequest, reply: FastifyReply): void;
  /** Undoes countFailure, once the key is known to be valid. */
  uncountFailure(request: FastifyRequest, reply: FastifyReply): void;
}

/** Counts requests by key and failed authentications by network. Each process has its own counts. */
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
    PROBLEMS.rate_limited,
    `${subject} may send ${perSecond} requests a second, and ${burst} at once after a pause. Try again in ${seconds} s.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}
