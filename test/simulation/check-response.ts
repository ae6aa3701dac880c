import assert from 'node:assert/strict';
import type { RateLimit } from '../../src/keys/rate-limit.ts';
import { responseChecker } from '../rig/http/response-checker.ts';
import type { KnownKey } from './known-key.ts';
import { STEP_MS } from './simulated-time.ts';
import type { SimulatedRequest, SimulatedResponse } from './simulation.ts';

export const REQUEST_TIMEOUT_MS = 2000;
/** The longest time for a response that waits for nothing but the database. */
export const LONGEST_MS = REQUEST_TIMEOUT_MS * (9 / 8) + STEP_MS;
/** A revoked key is refused this long after its revocation. */
const REVOKED_WITHIN_MS = 1000;

const checkers = {
  public: responseChecker(new URL('../../openapi.json', import.meta.url)),
  operator: responseChecker(new URL('../../openapi-operator.json', import.meta.url)),
};

/** Checks the form and the time of any response, and that its key allows it. */
export function checkResponse(
  { to, method, url, key, deadlines = 1, waitMs = 0 }: SimulatedRequest,
  response: SimulatedResponse,
  rateLimit: RateLimit | null,
): void {
  const { status, headers, instance, startedMs, endedMs, text } = response;
  const [path = ''] = url.split('?');
  checkers[to]({ method, path, status, headers: headers as Record<string, string>, body: text });
  assert.notEqual(status, 500, `500: ${text}`);
  // The part before a wait and the part after it have a deadline each.
  const longestWaitMs = Math.max(0, Math.min(waitMs, instance.stoppedMs - startedMs));
  const longestMs = deadlines * LONGEST_MS + (waitMs > 0 ? longestWaitMs + LONGEST_MS : 0);
  assert.ok(endedMs - startedMs <= longestMs, `the response took ${endedMs - startedMs} ms`);
  if (status === 503) assert.equal(headers['retry-after'], '1');
  if (typeof key === 'object' && key !== null) {
    if (status === 401) checkRefused(key, response);
    else if (status !== 503) checkAccepted(key, response);
    if (to === 'public') checkRate(key, response, rateLimit);
  }
}

function checkRefused(key: KnownKey, { endedMs, wall }: SimulatedResponse): void {
  const mayBeRevoked = key.revokeSentMs <= endedMs;
  const mayBeExpired = key.expiresAtMs !== null && wall.maxMs >= key.expiresAtMs;
  assert.ok(mayBeRevoked || mayBeExpired, `${key.name} was refused, and is neither revoked nor expired`);
  if (!mayBeExpired) key.revokedMs = Math.min(key.revokedMs, endedMs);
}

function checkAccepted(key: KnownKey, { authenticatedMs, wall }: SimulatedResponse): void {
  assert.ok(authenticatedMs < key.revokedMs + REVOKED_WITHIN_MS, `${key.name} is revoked, and was accepted`);
  assert.ok(
    key.expiresAtMs === null || wall.minMs < key.expiresAtMs,
    `${key.name} is expired, and was accepted`,
  );
}

function checkRate(
  key: KnownKey,
  { instance, status, endedMs }: SimulatedResponse,
  rateLimit: RateLimit | null,
): void {
  const { count, sinceMs } = instance.sent.get(key.id) ?? { count: 0, sinceMs: 0 };
  if (status === 429) assert.ok(rateLimit !== null && count > rateLimit.burst, `429 for ${key.name}`);
  // It is not known whether a 401 or 503 came before the rate limit or after it.
  if (rateLimit === null || [401, 429, 503].includes(status)) return;
  const admitted = (instance.admitted.get(key.id) ?? 0) + 1;
  instance.admitted.set(key.id, admitted);
  const earned = ((endedMs - sinceMs) / 1000) * rateLimit.perSecond;
  assert.ok(admitted <= rateLimit.burst + earned, `${key.name} got more than its rate`);
}
