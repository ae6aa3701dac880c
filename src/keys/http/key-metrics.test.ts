import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { type ApiKey, makeApiKey } from '../api-key.ts';
import type { ApiKeyStore } from '../keys.ts';
import { createKeyMetrics } from './key-metrics.ts';

const NOW_MS = Date.UTC(2026, 5, 15, 12);
const DAY_S = 86_400;
const NAME = 'transactions_operator_key_expires_timestamp_seconds';

const keyOf = (days: number | null, fields: Partial<ApiKey> = {}): ApiKey => ({
  ...makeApiKey({ account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null }, NOW_MS, randomBytes).stored,
  expiresAtMs: days === null ? null : NOW_MS + days * DAY_S * 1000,
  lastUsedAtMs: NOW_MS,
  ...fields,
});

async function exported(listApiKeys: ApiKeyStore['listApiKeys']) {
  const registry = new Registry();
  createKeyMetrics([registry]).watchOperatorKeys({ listApiKeys }, () => NOW_MS);
  await registry.metrics();
  await nextTurn();
  const text = await registry.metrics();
  const value = text.split('\n').find((line) => line.startsWith(`${NAME} `));
  return value === undefined ? undefined : Number(value.split(' ')[1]);
}

test("the earliest expiry of the operator's keys in use is exported", async () => {
  const keys = [
    keyOf(30),
    keyOf(9),
    keyOf(null),
    keyOf(1, { revokedAtMs: NOW_MS }),
    keyOf(2, { rolledAtMs: NOW_MS }),
    keyOf(3, { lastUsedAtMs: null }),
    keyOf(-1),
  ];
  const listApiKeys = async (account: string | null) => {
    assert.equal(account, OPERATOR_ACCOUNT);
    return keys;
  };
  assert.equal(await exported(listApiKeys), NOW_MS / 1000 + 9 * DAY_S);
});

test('without a key that expires, there is no value; nor while the database fails or does not answer', async () => {
  assert.equal(await exported(async () => [keyOf(null)]), undefined);
  assert.equal(await exported(() => Promise.reject(new Error('down'))), undefined);
  assert.equal(await exported(() => new Promise(() => {})), undefined);
});

test('a key that is made after thousands of others is exported too', async () => {
  const keys = [...Array.from({ length: 2000 }, () => keyOf(1, { rolledAtMs: NOW_MS })), keyOf(5)];
  const listApiKeys: ApiKeyStore['listApiKeys'] = async (_account, after, limit) => {
    const begin = after === null ? 0 : keys.findIndex(({ id }) => id === after.id) + 1;
    return keys.slice(begin, begin + limit);
  };
  assert.equal(await exported(listApiKeys), NOW_MS / 1000 + 5 * DAY_S);
});
