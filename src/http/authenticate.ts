import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { KeyKind } from '../core/api-key.ts';
import { type ApiKeyUses, authenticate, type Caller } from '../core/authenticate.ts';
import type { KeyCache } from '../core/key-cache.ts';
import { Problem } from './problem.ts';
import type { RateLimiter } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by requireApiKey; null on routes without it. */
    caller: Caller | null;
  }
}

const BEARER = /^Bearer +(\S.*)$/i;
const CHALLENGE = 'Bearer realm="transactions"';

export interface AuthenticationDependencies {
  /** Whose keys are taken. */
  kind: KeyKind;
  keys: KeyCache;
  uses: ApiKeyUses;
  now: () => number;
  limiter: RateLimiter;
}

/** A hook that lets only the holders of a usable API key pass. It runs before anything else of the request is read. */
export function requireApiKey({
  kind,
  keys,
  uses,
  now,
  limiter,
}: AuthenticationDependencies): onRequestHookHandler {
  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller | undefined, nowMs: number) => {
    if (caller === undefined) {
      limiter.countFailure(request, reply);
      throw new Problem(
        'invalid_api_key',
        'The API key is not valid. Check that it was sent whole, or ask the operator for a new one.',
        { headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` } },
      );
    }
    limiter.countRequest(caller, reply);
    uses.note(caller, nowMs);
    request.caller = caller;
  };

  return (request, reply, done) => {
    const [, key] = BEARER.exec(request.headers.authorization ?? '') ?? [];
    if (key === undefined) {
      limiter.countFailure(request, reply);
      throw new Problem(
        'missing_api_key',
        'The request has no API key. Send the header Authorization: Bearer <API key>.',
        { headers: { 'www-authenticate': CHALLENGE } },
      );
    }
    const nowMs = now();
    const caller = authenticate(keys, key.trimEnd(), nowMs, kind);
    // Fastify goes on when the promise is kept, or at once when it is told that all is done.
    if (caller instanceof Promise) return caller.then((found) => admit(request, reply, found, nowMs));
    admit(request, reply, caller, nowMs);
    done();
    return undefined;
  };
}

/** The caller of a request that passed requireApiKey. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('the route does not require an API key');
  return request.caller;
}
