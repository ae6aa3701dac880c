import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { DAY_MS, formatTimestamp } from '../../../values/calendar.ts';
import {
  API_KEY_PREFIX,
  type Caller,
  OPERATOR_KEY_PREFIX,
  SESSION_CODE_PREFIX,
} from '../../../values/caller.ts';
import { Problem } from '../../../values/problem.ts';
import type { KeyKind, Scope } from '../../../values/scopes.ts';
import { type Authenticate, callerOf, type KeyChecks } from '../../http/operations/operation.ts';
import type { RateLimiter } from '../../http/overload/rate-limit.ts';
import { isWithinPrefix, listed } from '../api-key.ts';
import { type ApiKeyUses, authenticate, callerOfHash, isStillAdmitted, type KeyCache } from '../key-cache.ts';

const BEARER = /^Bearer +(\S.*)$/i;

const KEY_EXPIRES_NOTICE_MS = 7 * DAY_MS;

interface AuthenticationDependencies {
  kind: KeyKind;
  keys: KeyCache;
  uses: ApiKeyUses;
  now: () => number;
  limiter: RateLimiter;
}

export const authentication =
  ({ kind, keys, uses, now, limiter }: AuthenticationDependencies): Authenticate =>
  (scope, cost): onRequestHookHandler =>
  (request, reply, done) => {
    const key = keyOf(request);
    if (key === undefined) {
      limiter.countFailure(request, reply);
      throw new Problem(
        'missing_api_key',
        `${explainMissingKey(request)} Send the header Authorization: Bearer <API key>.`,
        { headers: { 'www-authenticate': CHALLENGE } },
      );
    }
    const nowMs = now();
    // An unknown key is counted before the lookup, so that guesses over the limit cost no query.
    let isCounted = false;
    const countUnknown = () => {
      limiter.countFailure(request, reply);
      isCounted = true;
    };
    const uncountUnknown = () => {
      if (isCounted) limiter.uncountFailure(request, reply);
    };
    const admit = (caller: Caller | undefined) => {
      if (caller === undefined) {
        if (!isCounted) limiter.countFailure(request, reply);
        throw invalidKey(key, kind);
      }
      uncountUnknown();
      request.caller = caller;
      noteExpiry(caller, nowMs, reply);
      limiter.countRequest(caller, reply, cost);
      uses.note(caller, nowMs);
      requireRights(caller, scope, request);
    };

    const find = (hash: string) => keys.find(hash, countUnknown);
    const caller = authenticate({ find }, key, nowMs, kind);
    // If the key is cached, `done` is called below, which is faster than a promise.
    if (caller instanceof Promise) {
      return caller.then(admit, (error) => {
        uncountUnknown();
        throw error;
      });
    }
    admit(caller);
    done();
    return undefined;
  };

function noteExpiry({ expiresAtMs }: Caller, nowMs: number, reply: FastifyReply): void {
  if (expiresAtMs !== null && expiresAtMs - nowMs <= KEY_EXPIRES_NOTICE_MS)
    reply.header('key-expires', formatTimestamp(expiresAtMs));
}

export function createKeyChecks({
  kind,
  keys,
  now,
}: Pick<AuthenticationDependencies, 'kind' | 'keys' | 'now'>): KeyChecks {
  const isAdmittedNow = (request: FastifyRequest) => {
    const caller = callerOfHash(keys, callerOf(request).keyHash, now(), kind);
    return caller instanceof Promise ? caller.then((found) => found !== undefined) : caller !== undefined;
  };
  return {
    isStillAdmitted: (caller) => isStillAdmitted(keys, caller, now()),
    isAdmittedNow,
    requireAdmitted: async (request) => {
      if (!(await isAdmittedNow(request))) throw invalidKey(keyOf(request) ?? '', kind);
    },
  };
}

function keyOf({ headers }: FastifyRequest): string | undefined {
  const [, key] = BEARER.exec(headers.authorization ?? '') ?? [];
  return key?.trimEnd();
}

/** Does not show what the request sent, because that can be a key in the wrong place. */
function explainMissingKey({ headers, query }: FastifyRequest): string {
  const sent = headers.authorization?.trim() ?? '';
  if (/^Bearer$/i.test(sent)) return 'The Authorization header has no API key after Bearer.';
  if (/^Basic(?: |$)/i.test(sent))
    return 'The Authorization header has the scheme Basic, which this service does not accept.';
  if (/^Bearer[:\s]/i.test(sent))
    return 'The Authorization header has a colon or a tab after Bearer, where only a space is right.';
  if (/^\S+$/.test(sent)) return 'The Authorization header has a value without the scheme Bearer before it.';
  if (sent !== '') return 'The Authorization header has another scheme than Bearer.';
  const other = KEY_HEADERS.find((name) => headers[name] !== undefined);
  if (other !== undefined) return `This service does not read the header ${other}.`;
  const inAddress = KEY_PARAMETERS.find((name) => Object.hasOwn(query as object, name));
  if (inAddress !== undefined)
    return `A key in the address (${inAddress}) is not read, but addresses are stored in logs and histories: roll the key.`;
  return 'The request has no API key.';
}

const KEY_PARAMETERS = ['api_key', 'apiKey', 'apikey', 'key', 'token', 'access_token'];

const KEY_HEADERS = ['x-api-key', 'api-key', 'x-api-token', 'x-auth-token'];

/** The texts do not say whether the key would be valid on the other listener. */
const OTHER_KIND: Record<KeyKind, { prefix: string; detail: string }> = {
  account: {
    prefix: OPERATOR_KEY_PREFIX,
    detail: `A key that begins with ${OPERATOR_KEY_PREFIX} is for the operator's interface. This interface needs the key of an account, which begins with ${API_KEY_PREFIX}.`,
  },
  operator: {
    prefix: API_KEY_PREFIX,
    detail: `A key that begins with ${API_KEY_PREFIX} is for the interface of accounts. This interface needs a key of the operator, which begins with ${OPERATOR_KEY_PREFIX}.`,
  },
};

function explainInvalidKey(key: string, kind: KeyKind): string {
  const { prefix, detail } = OTHER_KIND[kind];
  // If there are several Authorization headers, node:http joins them with a comma. No key contains a comma.
  if (key.includes(', ')) return 'The request has more than one Authorization header. Send one.';
  if (key.startsWith(prefix)) return detail;
  const [, hint] = MISTAKES.find(([form]) => form.test(key)) ?? [];
  return hint ?? 'The API key is not valid. Check that it was sent whole, or ask the operator for a new one.';
}

/**
 * Texts that callers send by mistake. No pattern may match a key, because every refused key gets the same
 * answer.
 */
const MISTAKES: readonly (readonly [form: RegExp, detail: string])[] = [
  [
    /^key_/,
    'This is the id of a key. The key begins with tk_, and was shown once, when it was made. Send the key.',
  ],
  [/^whs[ek]c?_/, 'This is a secret that signs webhooks. Send the API key, which begins with tk_.'],
  [/^(ses|we|chg)_/, 'This is an id, not an API key. Send the API key, which begins with tk_.'],
  [
    new RegExp(`^${SESSION_CODE_PREFIX}`),
    'This is the code of a session. Exchange it for a key with POST /v1/session of the interface of accounts.',
  ],
  [/^bearer\s/i, 'The Authorization header has Bearer twice. Send it once.'],
  [/^your\b|^your[_-]/i, 'The API key is the placeholder of an example. Send your own key in its place.'],
  [/^["'`\u201c\u201d].*["'`\u201c\u201d]$/, 'The API key is in quotation marks. Send it without them.'],
  [
    /^(\$|%\w+%$|\{\{)/,
    'The API key is the name of a variable, which was not replaced by its value. Send the key itself.',
  ],
  [
    /^(undefined|null|none|nil)$/i,
    'The API key is the text of a variable without a value. Send the key itself.',
  ],
  [
    /^<.*>$/,
    'The API key is the placeholder of an example. Send your own key in its place, without angle brackets.',
  ],
];

function invalidKey(key: string, kind: KeyKind): Problem {
  return new Problem('invalid_api_key', explainInvalidKey(key, kind), {
    headers: { 'www-authenticate': `${CHALLENGE}, error="invalid_token"` },
  });
}

/** Source: RFC 6750, 3.1. */
function requireRights(caller: Caller, scope: Scope | null, { params }: FastifyRequest): void {
  const { scopes, accountPrefix, person } = caller;
  if (scope !== null && !scopes.includes(scope)) {
    throw new Problem(
      'insufficient_scope',
      `This operation needs a key with the scope ${scope}. This ${person === null ? 'key' : 'session'} has ${scopes.length === 0 ? 'none' : listed(scopes)}. ${person === null ? 'Ask the operator for a key with this scope.' : 'Ask the platform for a session with this scope.'}`,
      { headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope", scope="${scope}"` } },
    );
  }
  const { account } = (params ?? {}) as { account?: string };
  if (account !== undefined && !isWithinPrefix(account, accountPrefix)) {
    throw new Problem(
      'insufficient_scope',
      `This key is only for accounts that begin with "${accountPrefix}". Use another key.`,
      {
        headers: { 'www-authenticate': `${CHALLENGE}, error="insufficient_scope"` },
      },
    );
  }
}

/** Source: RFC 6750, 3. */
export const CHALLENGE = 'Bearer realm="transactions"';
