import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { someStamp } from '../../test/rig/store/audit.ts';
import { DAY_MS, LAST_TIMESTAMP_MS } from '../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { type ApiKey, hashApiKey, makeApiKey } from './api-key.ts';
import type { KeyRoll } from './keys.ts';
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
  const { id } = roll.created;
  assert.notEqual(id, old.id);
  assert.deepEqual(roll.created, {
    ...old,
    ...{ id, hash: hashApiKey(key), keyStart: key.slice(0, 'tk_operator_'.length + 6) },
    ...{ createdAtMs: nowMs, expiresAtMs: null, rolledAtMs: null, lastUsedAtMs: null },
  });
  assert.match(key, /^tk_operator_/);
  const { account, untilMs } = roll;
  assert.deepEqual([account, roll.id, untilMs, roll.nowMs], [old.account, old.id, nowMs + 1000, nowMs]);
});

test('a key that expires at the end of a day is rolled to one that does too, after as many days', () => {
  const createdAtMs = Date.UTC(2026, 4, 16, 11, 42, 22);
  const rolledTo = (expiresAtMs: number, fields: Partial<ApiKey> = {}) =>
    makeRoll(
      keyOf({ createdAtMs, expiresAtMs, ...fields }),
      { graceMs: 0, expiresAtMs: undefined },
      NOW_MS,
      randomBytes,
    ).roll.created.expiresAtMs;
  assert.equal(rolledTo(Date.UTC(2026, 5, 15) + DAY_MS), Date.UTC(2026, 6, 16));
  assert.equal(rolledTo(createdAtMs + 5000), NOW_MS + 5000);
  const rolled = { rolledAtMs: NOW_MS - 1, expiresBeforeRollMs: createdAtMs + 5000 };
  assert.equal(rolledTo(NOW_MS + 1, rolled), NOW_MS + 5000);
});

test('a rolled key expires at the end of the year 9999 at the latest', () => {
  const old = keyOf({ createdAtMs: 0, expiresAtMs: LAST_TIMESTAMP_MS });
  const { roll } = makeRoll(old, { graceMs: 0, expiresAtMs: undefined }, NOW_MS, randomBytes);
  assert.equal(roll.created.expiresAtMs, LAST_TIMESTAMP_MS);
});

test('a key that is rolled is returned with the new one; one that has ended, or ends meanwhile, is not rolled', async () => {
  const old = keyOf();
  const ended = { ...old, expiresAtMs: NOW_MS + DAY_MS };
  const stored: KeyRoll[] = [];
  const rolledTo = (found: ApiKey | undefined) => ({
    rollApiKey: async (roll: KeyRoll) => {
      stored.push(roll);
      return found;
    },
  });
  const request = { graceMs: DAY_MS, expiresAtMs: NOW_MS + 5 * DAY_MS };
  const roll = (found: ApiKey | undefined, key: ApiKey) =>
    rollKey(rolledTo(found), key, request, someStamp(NOW_MS), randomBytes);
  const rolled = await roll(ended, old);
  const [{ created } = {}] = stored;
  assert.deepEqual([rolled?.old, rolled?.created], [ended, created]);
  assert.equal(hashApiKey(rolled?.key ?? ''), created?.hash);
  assert.equal(created?.expiresAtMs, NOW_MS + 5 * DAY_MS);

  assert.equal(await roll(undefined, old), undefined);
  assert.equal(stored.length, 2);
  for (const fields of [{ revokedAtMs: NOW_MS }, { expiresAtMs: NOW_MS }])
    assert.equal(await roll(ended, keyOf(fields)), undefined);
  assert.equal(stored.length, 2, 'the store is not called for a key that has ended');
});
