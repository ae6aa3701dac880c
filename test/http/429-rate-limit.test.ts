import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { generateApiKey, hashApiKey } from '../../src/core/api-key.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/app.ts';

const LIMITED = {
  config: {
    ...testConfig,
    rateLimit: { perSecond: 2, burst: 4 },
    failedAuthenticationRateLimit: { perSecond: 1, burst: 3 },
  },
};

async function makeKey({ store, clock }: TestApp, account: string): Promise<string> {
  const { id, key } = generateApiKey(randomBytes);
  await store.createApiKey({
    id,
    account,
    hash: hashApiKey(key),
    label: null,
    createdAtMs: clock.now(),
    expiresAtMs: null,
    revokedAtMs: null,
    lastUsedAtMs: null,
  });
  return key;
}

const list = ({ server }: TestApp, key?: string) =>
  server.inject({
    url: '/v1/transactions',
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });

test('429: a key that sends more than it may is told when to come again, and then admitted', async () => {
  const app = await buildTestApp(LIMITED);
  const key = await makeKey(app, 'store-1');
  for (let count = 0; count < 4; count++) {
    const answer = await list(app, key);
    assert.equal(answer.statusCode, 200);
    assert.equal(answer.headers['ratelimit-policy'], '"key";q=4;w=2');
    assert.equal(answer.headers['ratelimit'], `"key";r=${3 - count};t=0`);
  }
  const refused = await list(app, key);
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.json().code, 'rate_limited');
  assert.match(refused.json().detail, /2 requests a second, and 4 at once/);
  app.clock.advance(500);
  assert.equal((await list(app, key)).statusCode, 200);
});

test('429: one key that sends too much takes nothing from another of the same account', async () => {
  const app = await buildTestApp(LIMITED);
  const [greedy, modest] = [await makeKey(app, 'store-1'), await makeKey(app, 'store-1')];
  for (let count = 0; count < 10; count++) await list(app, greedy);
  assert.equal((await list(app, greedy)).statusCode, 429);
  assert.equal((await list(app, modest)).statusCode, 200);
});

test('429: an address that fails to authenticate too often is held back, and a usable key of it is not', async () => {
  const app = await buildTestApp(LIMITED);
  const key = await makeKey(app, 'store-1');
  for (let count = 0; count < 3; count++) assert.equal((await list(app)).statusCode, 401);
  const refused = await list(app, 'tk_live_wrong');
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await list(app, key)).statusCode, 200);
});

test('the address of a caller is taken from X-Forwarded-For behind a trusted proxy alone', async () => {
  const failFrom = ({ server }: TestApp, forwardedFor: string) =>
    server.inject({ url: '/v1/transactions', headers: { 'x-forwarded-for': forwardedFor } });

  const direct = await buildTestApp(LIMITED);
  for (let count = 0; count < 3; count++) await failFrom(direct, `192.0.2.${count}`);
  assert.equal((await failFrom(direct, '192.0.2.9')).statusCode, 429);

  const proxied = await buildTestApp({ config: { ...LIMITED.config, trustedProxies: ['127.0.0.0/8'] } });
  for (let count = 0; count < 3; count++) await failFrom(proxied, '192.0.2.1');
  assert.equal((await failFrom(proxied, '192.0.2.1')).statusCode, 429);
  assert.equal((await failFrom(proxied, '192.0.2.2')).statusCode, 401);
});
