import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type ApiKey, isUsable, makeApiKey } from '../../src/keys/api-key.ts';
import { rollKey } from '../../src/keys/roll-key.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { fc } from '../rig/run/properties.ts';
import { inTier } from '../rig/run/tier.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);

const keyOf = (fields: Partial<ApiKey>): ApiKey => ({
  ...makeApiKey({ account: 'store-1', label: 'till 4', expiresAtMs: null }, NOW_MS, randomBytes).stored,
  ...fields,
});

/** What a program knows that rolls keys of an account at random: the life that each key was given, and when it ends. */
interface Known {
  id: string;
  lifeMs: number | null;
  endMs: number;
}

const step = fc.record({
  afterMs: fc.integer({ min: 0, max: 40_000 }),
  which: fc.nat(),
  graceMs: fc.integer({ min: 0, max: 60_000 }),
  lifeMs: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: undefined }),
  isRevoked: fc.boolean(),
});

test('however keys are rolled and revoked: each ends at its earliest end, and new keys get the life that the first was given', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: null }),
      fc.array(step, { minLength: 1, maxLength: 20 }),
      async (firstLifeMs, steps) => {
        const { store } = await openStore(IN_MEMORY_URL, () => NOW_MS);
        const endOf = (fromMs: number, lifeMs: number | null) =>
          lifeMs === null ? Number.POSITIVE_INFINITY : fromMs + lifeMs;
        const first = keyOf({ expiresAtMs: firstLifeMs === null ? null : NOW_MS + firstLifeMs });
        await store.createApiKey(first, someEntry());
        const known: Known[] = [{ id: first.id, lifeMs: firstLifeMs, endMs: endOf(NOW_MS, firstLifeMs) }];
        let nowMs = NOW_MS;
        for (const { afterMs, which, graceMs, lifeMs, isRevoked } of steps) {
          nowMs += afterMs;
          const target = known[which % known.length] as Known;
          const old = (await store.listApiKeys('store-1', null, 100)).find(({ id }) => id === target.id);
          assert.ok(old !== undefined);
          if (isRevoked && which % 5 === 0) {
            await store.revokeApiKey(target.id, nowMs, someEntry());
            target.endMs = Math.min(target.endMs, nowMs);
            continue;
          }
          const request = { graceMs, expiresAtMs: lifeMs === undefined ? undefined : nowMs + lifeMs };
          const rolled = await rollKey(store, old, request, someStamp(nowMs), randomBytes);
          assert.equal(rolled !== undefined, nowMs < target.endMs);
          if (rolled === undefined) continue;
          target.endMs = Math.min(target.endMs, nowMs + graceMs);
          const newLifeMs = lifeMs ?? target.lifeMs;
          known.push({ id: rolled.created.id, lifeMs: newLifeMs, endMs: endOf(nowMs, newLifeMs) });
        }
        const stored = await store.listApiKeys('store-1', null, 100);
        assert.equal(stored.length, known.length);
        for (const key of stored) {
          const { endMs } = known.find(({ id }) => id === key.id) as Known;
          assert.deepEqual([key.label, key.scopes], [first.label, first.scopes]);
          if (endMs === Number.POSITIVE_INFINITY) assert.equal(key.expiresAtMs, null);
          else if (key.revokedAtMs === null) assert.equal(key.expiresAtMs, endMs);
          // At each moment, exactly the keys that have not ended are accepted.
          assert.equal(isUsable(key, nowMs), nowMs < endMs);
        }
        await store.close();
      },
    ),
    { numRuns: inTier({ short: 60, long: 200 }) },
  );
});
