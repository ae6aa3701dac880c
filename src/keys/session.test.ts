import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from './api-key.ts';
import { SESSIONS_AT_ONCE } from './keys.ts';
import { removeExpiredSessions, SESSION_KEPT_MS, stateOfSession } from './session.ts';

test('sessions that expired a week ago are removed in steps, until fewer are left than a step removes', async () => {
  const steps = [SESSIONS_AT_ONCE, SESSIONS_AT_ONCE, 3];
  const removed: number[] = [];
  const store = {
    removeExpiredSessions: async (beforeMs: number) => {
      removed.push(beforeMs);
      return steps.shift() ?? 0;
    },
  };
  const stopping = new AbortController();
  await removeExpiredSessions(store, SESSION_KEPT_MS + 7, stopping.signal);
  assert.deepEqual(removed, [7, 7, 7]);
  steps.push(SESSIONS_AT_ONCE, SESSIONS_AT_ONCE);
  stopping.abort();
  await removeExpiredSessions(store, SESSION_KEPT_MS + 7, stopping.signal);
  assert.equal(removed.length, 3);
});

test('the state of a session follows from its times', () => {
  const state = (revokedAtMs: number | null, openedAtMs: number | null, nowMs: number) => {
    const session = { openedAtMs, codeExpiresAtMs: 61_000 };
    return stateOfSession({ revokedAtMs, expiresAtMs: 100_000, session } as Session, nowMs);
  };
  assert.equal(state(null, null, 60_999), 'waiting');
  assert.equal(state(null, null, 61_000), 'expired');
  assert.equal(state(null, 2000, 99_999), 'open');
  assert.equal(state(null, 2000, 100_000), 'expired');
  assert.equal(state(3000, 2000, 3000), 'ended');
  assert.equal(state(3000, 2000, 200_000), 'ended');
  assert.equal(state(100_001, 2000, 200_000), 'expired');
});
