import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SESSIONS_AT_ONCE } from './keys.ts';
import { removeExpiredSessions, SESSION_KEPT_MS } from './session.ts';

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
