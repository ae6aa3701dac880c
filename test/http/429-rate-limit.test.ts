import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, testConfig } from '../rig/service/app.ts';

const LIMITED = { config: { ...testConfig, rateLimit: { perSecond: 2, burst: 4 } } };

test('429: a key over its limit gets Retry-After, and is admitted after that time; another key of its account is not refused', async () => {
  const app = await buildTestApp(LIMITED);
  const [key, other] = [await app.makeKey('store-1'), await app.makeKey('store-1')];
  const list = (sent: string) => app.send('/v1/transactions', { key: sent });
  for (let left = 3; left >= 0; left--) {
    const { status, headers } = await list(key);
    assert.deepEqual(
      [status, headers['ratelimit-policy'], headers['ratelimit']],
      [200, '"key";q=4;w=2', `"key";r=${left};t=0`],
    );
  }
  const { status, headers, body } = await list(key);
  assert.deepEqual([status, headers['retry-after'], body.code], [429, '1', 'rate_limited']);
  assert.match(body.detail, /2 requests a second, and 4 at once/);
  assert.equal((await list(other)).status, 200);
  app.clock.advance(500);
  assert.equal((await list(key)).status, 200);
});

test('429: a search counts as several requests', async () => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 1, burst: 25 } } });
  const key = await app.makeKey('store-1');
  const statuses = [];
  for (const path of ['search?text=abc', 'search?text=abc', 'search?text=abc', 'transactions'])
    statuses.push((await app.send(`/v1/${path}`, { key })).status);
  assert.deepEqual(statuses, [200, 200, 429, 200]);
});
