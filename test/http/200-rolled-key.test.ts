import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KEY_ENDS_FRESH_MS, KEY_ENDS_INTERVAL_MS } from '../../src/keys/key-cache.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { DAY_MS } from '../../src/values/calendar.ts';
import { waitFor } from '../rig/http/waiting-callers.ts';
import { buildTestApp, type TestApp, type TestClock, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { storeWith } from '../rig/store/store-with.ts';

const LIST = '/v1/transactions';
const KEYS = '/v1/accounts/store-1/keys';

interface Instances {
  store: Store;
  clock: TestClock;
  apps: TestApp[];
  lookups: () => number;
  /** Rolls a key through the interface of the operator, and returns the new key. */
  roll(id: string, grace: string): Promise<string>;
  /** Time passes, and each instance reads the key ends at its interval. */
  pass(milliseconds: number): Promise<void>;
}

/** Two instances of the public service on one store, and the operator's interface. */
async function serveTwice(): Promise<Instances> {
  const clock = testClock();
  const { store: real } = await openStore(IN_MEMORY_URL, clock.now);
  let lookups = 0;
  const store = storeWith(real, {
    findApiKey: (hash) => {
      lookups++;
      return real.findApiKey(hash);
    },
  });
  const apps = [await buildTestApp({ store, clock }), await buildTestApp({ store, clock })];
  const operator = await buildTestOperatorApp(store, clock);
  const refresh = () => Promise.all(apps.map(({ keyCache }) => keyCache.refresh()));
  await refresh();
  return {
    store,
    clock,
    apps,
    lookups: () => lookups,
    roll: async (id, grace) => {
      const { status, body } = await operator.send(`${KEYS}/${id}/roll`, { method: 'POST', body: { grace } });
      assert.equal(status, 201);
      return body.key;
    },
    pass: async (milliseconds) => {
      for (let left = milliseconds; left > 0; left -= KEY_ENDS_INTERVAL_MS) {
        clock.advance(Math.min(left, KEY_ENDS_INTERVAL_MS));
        await refresh();
      }
    },
  };
}

const statusesOf = async (apps: readonly TestApp[], key: string) =>
  Promise.all(apps.map(async (app) => (await app.send(LIST, { key })).status));

test('200 until its last millisecond, and 401 from then on: a rolled key, on two instances that have it in their caches', async () => {
  const { apps, clock, lookups, roll, pass } = await serveTwice();
  const id = 'key_0000000000000001';
  const key = await (apps[0] as TestApp).makeKey('store-1', { id });
  await statusesOf(apps, key);
  const newKey = await roll(id, '90s');
  const endMs = clock.now() + 90_000;
  await pass(KEY_ENDS_INTERVAL_MS);
  assert.deepEqual(await statusesOf(apps, key), [200, 200]);

  // Longer than a key is cached, and the end is not looked up again at each request.
  const before = lookups();
  while (clock.now() < endMs - 1) {
    await pass(Math.min(5000, endMs - 1 - clock.now()));
    assert.deepEqual(await statusesOf(apps, key), [200, 200]);
  }
  assert.ok(lookups() - before <= 4, `${lookups() - before} lookups`);
  clock.advance(1);
  assert.deepEqual(await statusesOf(apps, key), [401, 401]);
  await pass(KEY_ENDS_INTERVAL_MS);
  assert.deepEqual(await statusesOf(apps, key), [401, 401]);
  assert.deepEqual(await statusesOf(apps, newKey), [200, 200]);
});

test('401: an instance that cannot read the key ends looks a rolled key up, and accepts it no longer than the others', async () => {
  const { apps, clock, roll } = await serveTwice();
  const id = 'key_0000000000000001';
  const key = await (apps[0] as TestApp).makeKey('store-1', { id });
  await statusesOf(apps, key);
  await roll(id, '1s');
  clock.advance(KEY_ENDS_FRESH_MS);
  assert.deepEqual(await statusesOf(apps, key), [200, 200]);
  clock.advance(1000 - KEY_ENDS_FRESH_MS);
  assert.deepEqual(await statusesOf(apps, key), [401, 401]);
});

test('401: a rolled key that is revoked is refused before its end', async () => {
  const { apps, clock, store, roll, pass } = await serveTwice();
  const id = 'key_0000000000000001';
  const key = await (apps[0] as TestApp).makeKey('store-1', { id });
  await statusesOf(apps, key);
  const newKey = await roll(id, '7d');
  await pass(1000);
  assert.deepEqual(await statusesOf(apps, key), [200, 200]);
  await store.revokeApiKey(id, clock.now(), someEntry());
  await pass(KEY_ENDS_INTERVAL_MS);
  assert.deepEqual(await statusesOf(apps, key), [401, 401]);
  assert.deepEqual(await statusesOf(apps, newKey), [200, 200]);
});

test('401 invalid_api_key: the end of a rolled key ends the wait of its callers, on the instance that did not roll it too', async () => {
  const { apps, clock, roll, pass } = await serveTwice();
  const id = 'key_0000000000000001';
  const key = await (apps[0] as TestApp).makeKey('store-1', { id });
  const waiting = await Promise.all(apps.map((app) => waitFor(app, key)));
  await roll(id, '5s');
  await pass(4500);
  assert.deepEqual(
    apps.map(({ changeWatcher }) => changeWatcher.waiting),
    [1, 1],
  );
  clock.advance(500);
  for (const { response } of waiting) assert.equal((await response).body.code, 'invalid_api_key');
});

test('Key-Expires names the end of a key in its last seven days, on every response that the key was checked for', async () => {
  const { apps, clock, roll } = await serveTwice();
  const [app] = apps as [TestApp, TestApp];
  const expiresAtMs = clock.now() + 8 * DAY_MS;
  const keys = {
    read: await app.makeKey('store-1', { expiresAtMs }),
    webhooks: await app.makeKey('store-1', { expiresAtMs, scopes: ['webhooks'] }),
    lasting: await app.makeKey('store-1', { id: 'key_0000000000000001' }),
  };
  const noticeOf = async (key: string | undefined, url = LIST) =>
    (await app.send(url, key === undefined ? {} : { key })).headers['key-expires'];

  clock.set(expiresAtMs - 7 * DAY_MS - 1);
  for (const key of Object.values(keys)) assert.equal(await noticeOf(key), undefined);
  clock.advance(1);
  const notice = new Date(expiresAtMs).toISOString();
  for (const url of [LIST, `${LIST}?limit=1`, `${LIST}/none`, `${LIST}.csv`, '/v1/changes', '/v1/totals'])
    assert.equal(await noticeOf(keys.read, url), notice, url);
  assert.equal(await noticeOf(keys.webhooks), notice);
  for (const key of [keys.lasting, 'x', undefined]) assert.equal(await noticeOf(key), undefined);

  const end = new Date(clock.now() + 86_400_000).toISOString();
  await roll('key_0000000000000001', '24h');
  await app.keyCache.refresh();
  assert.equal(await noticeOf(keys.lasting), end);
  clock.set(expiresAtMs);
  assert.equal(await noticeOf(keys.read), undefined);
});
