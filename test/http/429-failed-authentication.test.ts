import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const LIST = '/v1/transactions';
const BURST = 3;
const config = {
  ...testConfig,
  failedAuthenticationRateLimit: { perSecond: 1, burst: BURST },
  trustedProxies: ['127.0.0.0/8', '10.0.0.0/8', 'fd00::/8'],
};

async function statusAfter(app: TestApp, from: readonly string[], last: string): Promise<number> {
  const fail = (forwardedFor: string) => app.send(LIST, { headers: { 'x-forwarded-for': forwardedFor } });
  for (let count = 0; count < BURST; count++) {
    assert.equal((await fail(from[count % from.length] as string)).status, 401);
  }
  return (await fail(last)).status;
}

for (const [what, from, last, status] of [
  ['one /64', ['2001:db8:0:1::1', '2001:DB8:0:1:ffff::2'], '2001:db8::1:9:8:7:6', 429],
  ['two /64', ['2001:db8:0:1::1'], '2001:db8:0:2::1', 401],
  ['all forms of an IPv4 address', ['192.0.2.1', '::ffff:192.0.2.1'], '::FFFF:c000:201', 429],
  ['two IPv4 addresses', ['::ffff:192.0.2.1'], '::ffff:192.0.2.2', 401],
  ['the port is no part', ['192.0.2.1:5001', '192.0.2.1'], '192.0.2.1:5002', 429],
  ['brackets are no part', ['[2001:db8::1]:443', '2001:db8::1'], '[2001:db8::1]', 429],
  ['the zone is no part', ['fe80::1%br-lan', '[fe80::2%eth0.100]:443'], 'fe80::3', 429],
  ['a forged address', ['1.1.1.1, 192.0.2.1', '2.2.2.2, 192.0.2.1, 10.0.0.9'], '3.3.3.3, 192.0.2.1', 429],
  [
    'trusted proxies with a port',
    ['1.1.1.1, 192.0.2.1, 10.0.0.5:5555', '192.0.2.1, [::ffff:10.0.0.6]:443', '192.0.2.1, [fd00::7]:8080'],
    '192.0.2.1, fd00::8, ::ffff:10.0.0.9',
    429,
  ],
  ['callers behind one with a port', ['192.0.2.1, 10.0.0.5:5555'], '192.0.2.2, 10.0.0.5:5556', 401],
  ['invalid addresses of a proxy', ['unknown', '999.1.1.1', 'x'.repeat(500)], '0x7f.1, 10.0.0.256', 429],
  ['invalid ones of two proxies', ['unknown, 10.0.0.9'], 'unknown, 10.0.0.8', 401],
] as const)
  test(`${status}: ${what}, counted ${status === 429 ? 'together' : 'separately'}`, async () => {
    assert.equal(await statusAfter(await buildTestApp({ config }), from, last), status);
  });

test('429: IPv6 connections are counted by /64, and IPv4-mapped ones by their IPv4 address', async () => {
  const app = await buildTestApp({ config: { ...config, trustedProxies: [] } });
  const from = async (remoteAddress: string) =>
    (await app.server.inject({ url: LIST, remoteAddress })).statusCode;
  for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8::3']) assert.equal(await from(address), 401);
  assert.equal(await from('2001:db8::4'), 429);
  assert.equal(await from('2001:db8:1::4'), 401);
  for (let count = 0; count < BURST; count++) assert.equal(await from('::ffff:192.0.2.1'), 401);
  assert.equal(await from('192.0.2.1'), 429);
});

async function watchedApp(): Promise<{
  app: TestApp;
  lookups: () => number;
  fail: (isFailing: boolean) => void;
}> {
  const { store } = await buildTestApp();
  let lookups = 0;
  let failing = false;
  const app = await buildTestApp({
    config,
    store: storeWith(store, {
      findApiKey: async (hash) => {
        lookups++;
        if (failing) throw new StoreUnavailable('database_error', 'disk I/O error');
        return store.findApiKey(hash);
      },
    }),
  });
  return { app, lookups: () => lookups, fail: (isFailing) => (failing = isFailing) };
}

const strangers = async (count: number) => {
  const elsewhere = await buildTestApp();
  return Promise.all(Array.from({ length: count }, () => elsewhere.makeKey('store-1')));
};

test('429: an address over its limit is refused before its keys are looked up, even with concurrent requests', async () => {
  const { app, lookups } = await watchedApp();
  const guesses = await strangers(20);
  const responses = await Promise.all(guesses.map((key) => app.send(LIST, { key })));
  assert.equal(responses.filter(({ status }) => status === 401).length, BURST);
  assert.equal(responses.filter(({ status }) => status === 429).length, 20 - BURST);
  assert.equal(lookups(), BURST);
});

test('200: from an address over its limit, a cached key is accepted at once, and another key when the limit allows a request', async () => {
  const { app } = await watchedApp();
  const known = await app.makeKey('store-1');
  const fresh = await app.makeKey('store-1');
  assert.equal((await app.send(LIST, { key: known })).status, 200);
  for (const key of await strangers(BURST)) assert.equal((await app.send(LIST, { key })).status, 401);
  assert.equal((await app.send(LIST, { key: known })).status, 200);
  assert.equal((await app.send(LIST, { key: fresh })).status, 429);
  app.clock.advance(1000);
  assert.equal((await app.send(LIST, { key: fresh })).status, 200);
});

test('200: usable keys and failures of the store do not count as failed authentications', async () => {
  const { app, fail } = await watchedApp();
  const key = await app.makeKey('store-1');
  fail(true);
  for (let count = 0; count < 3 * BURST; count++) assert.equal((await app.send(LIST, { key })).status, 503);
  fail(false);
  for (let count = 0; count < 3 * BURST; count++) {
    const { status, headers } = await app.send(LIST, { key: await app.makeKey('store-1') });
    assert.deepEqual([status, headers['ratelimit']], [200, undefined]);
  }
});
