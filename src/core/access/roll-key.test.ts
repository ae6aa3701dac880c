import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../../test/rig/properties.ts';
import { IN_MEMORY_URL, openStore } from '../../store/open-store.ts';
import { DAY_MS, LAST_TIMESTAMP_MS } from '../calendar.ts';
import { type ApiKey, hashApiKey, isUsable, makeApiKey, OPERATOR_ACCOUNT } from './api-key.ts';
import { makeRoll, parseGrace, rollKey } from './roll-key.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);

const keyOf = (fields: Partial<ApiKey> = {}): ApiKey => ({
  ...makeApiKey({ account: 'store-1', label: 'till 4', expiresAtMs: null }, NOW_MS, randomBytes).stored,
  ...fields,
});

test('a grace is 0, or a number of seconds, minutes, hours or days, of at most 30 days', () => {
  for (const [text, graceMs] of [
    ['0', 0],
    ['1s', 1000],
    ['90s', 90_000],
    ['30m', 1_800_000],
    ['24h', DAY_MS],
    ['7d', 7 * DAY_MS],
    ['30d', 30 * DAY_MS],
    ['720h', 30 * DAY_MS],
    ['2592000s', 30 * DAY_MS],
  ] as const)
    assert.equal(parseGrace(text), graceMs, text);
  for (const text of ['', '24', 'h', '0s', '00', '01h', '-1h', '1.5h', '1w', '24H', ' 24h', '24h\n', '1h1m'])
    assert.equal(parseGrace(text), undefined, JSON.stringify(text));
  for (const text of ['31d', '721h', '2592001s', '9999999d', '99999999s'])
    assert.equal(parseGrace(text), undefined, text);
});

test('the new key has the rights and the label of the old one, and nothing of its history', () => {
  const old = keyOf({
    account: OPERATOR_ACCOUNT,
    scopes: ['keys'],
    accountPrefix: 'shop-',
    lastUsedAtMs: NOW_MS,
    rolledAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 1,
  });
  const nowMs = NOW_MS + 5000;
  const { key, roll } = makeRoll(old, { graceMs: 1000, expiresAtMs: undefined }, nowMs, randomBytes);
  const { id, ...created } = roll.created;
  assert.notEqual(id, old.id);
  assert.deepEqual(created, {
    account: OPERATOR_ACCOUNT,
    hash: hashApiKey(key),
    label: 'till 4',
    scopes: ['keys'],
    accountPrefix: 'shop-',
    createdAtMs: nowMs,
    expiresAtMs: null,
    revokedAtMs: null,
    rolledAtMs: null,
    expiresBeforeRollMs: null,
    lastUsedAtMs: null,
  });
  assert.match(key, /^tk_operator_/);
  const { account, untilMs } = roll;
  assert.deepEqual([account, roll.id, untilMs, roll.nowMs], [old.account, old.id, nowMs + 1000, nowMs]);
});

test('a key whose life would end after the year 9999 ends with it', () => {
  const old = keyOf({ createdAtMs: 0, expiresAtMs: LAST_TIMESTAMP_MS });
  const { roll } = makeRoll(old, { graceMs: 0, expiresAtMs: undefined }, NOW_MS, randomBytes);
  assert.equal(roll.created.expiresAtMs, LAST_TIMESTAMP_MS);
});

test('a key that is revoked or expired is not rolled, and the store is not called', async () => {
  const store = { rollApiKey: () => assert.fail('the store was called') };
  const request = { graceMs: DAY_MS, expiresAtMs: undefined };
  for (const old of [keyOf({ revokedAtMs: NOW_MS }), keyOf({ expiresAtMs: NOW_MS })])
    assert.equal(await rollKey(store, old, request, NOW_MS, randomBytes), undefined);
});

test('a key that ends while it is rolled has no new one', async () => {
  const store = { rollApiKey: async () => undefined };
  const request = { graceMs: DAY_MS, expiresAtMs: undefined };
  assert.equal(await rollKey(store, keyOf(), request, NOW_MS, randomBytes), undefined);
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
        await store.createApiKey(first);
        const known: Known[] = [{ id: first.id, lifeMs: firstLifeMs, endMs: endOf(NOW_MS, firstLifeMs) }];
        let nowMs = NOW_MS;
        for (const { afterMs, which, graceMs, lifeMs, isRevoked } of steps) {
          nowMs += afterMs;
          const target = known[which % known.length] as Known;
          const old = (await store.listApiKeys('store-1')).find(({ id }) => id === target.id);
          assert.ok(old !== undefined);
          if (isRevoked && which % 5 === 0) {
            await store.revokeApiKey(target.id, nowMs);
            target.endMs = Math.min(target.endMs, nowMs);
            continue;
          }
          const request = { graceMs, expiresAtMs: lifeMs === undefined ? undefined : nowMs + lifeMs };
          const rolled = await rollKey(store, old, request, nowMs, randomBytes);
          assert.equal(rolled !== undefined, nowMs < target.endMs);
          if (rolled === undefined) continue;
          target.endMs = Math.min(target.endMs, nowMs + graceMs);
          const newLifeMs = lifeMs ?? target.lifeMs;
          known.push({ id: rolled.created.id, lifeMs: newLifeMs, endMs: endOf(nowMs, newLifeMs) });
        }
        const stored = await store.listApiKeys('store-1');
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
    { numRuns: 200 },
  );
});
