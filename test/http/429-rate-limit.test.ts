import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const LIMITED = {
  config: {
    ...testConfig,
    rateLimit: { perSecond: 2, burst: 4 },
    failedAuthenticationRateLimit: { perSecond: 1, burst: 3 },
  },
};

const list = ({ send }: TestApp, key?: string) => send('/v1/transactions', key === undefined ? {} : { key });

test('429: a key over its limit gets Retry-After, and is admitted after that time', async () => {
  const app = await buildTestApp(LIMITED);
  const key = await app.makeKey('store-1');
  for (let count = 0; count < 4; count++) {
    const response = await list(app, key);
    assert.equal(response.status, 200);
    assert.equal(response.headers['ratelimit-policy'], '"key";q=4;w=2');
    assert.equal(response.headers['ratelimit'], `"key";r=${3 - count};t=0`);
  }
  const refused = await list(app, key);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal(refused.body.code, 'rate_limited');
  assert.match(refused.body.detail, /2 requests a second, and 4 at once/);
  app.clock.advance(500);
  assert.equal((await list(app, key)).status, 200);
});

test('429: a key over its limit does not affect another key of the same account', async () => {
  const app = await buildTestApp(LIMITED);
  const [greedy, modest] = [await app.makeKey('store-1'), await app.makeKey('store-1')];
  for (let count = 0; count < 10; count++) await list(app, greedy);
  assert.equal((await list(app, greedy)).status, 429);
  assert.equal((await list(app, modest)).status, 200);
});

test('429: an address with too many failed authentications is refused, except for a cached key', async () => {
  const app = await buildTestApp(LIMITED);
  const key = await app.makeKey('store-1');
  assert.equal((await list(app, key)).status, 200);
  for (let count = 0; count < 3; count++) assert.equal((await list(app)).status, 401);
  const refused = await list(app, 'tk_live_wrong');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['retry-after'], '1');
  assert.equal((await list(app, key)).status, 200);
});

test('X-Forwarded-For is used only behind a trusted proxy', async () => {
  const failFrom = ({ send }: TestApp, forwardedFor: string) =>
    send('/v1/transactions', { headers: { 'x-forwarded-for': forwardedFor } });

  const direct = await buildTestApp(LIMITED);
  for (let count = 0; count < 3; count++) await failFrom(direct, `192.0.2.${count}`);
  assert.equal((await failFrom(direct, '192.0.2.9')).status, 429);

  const proxied = await buildTestApp({ config: { ...LIMITED.config, trustedProxies: ['127.0.0.0/8'] } });
  for (let count = 0; count < 3; count++) await failFrom(proxied, '192.0.2.1');
  assert.equal((await failFrom(proxied, '192.0.2.1')).status, 429);
  assert.equal((await failFrom(proxied, '192.0.2.2')).status, 401);
});
