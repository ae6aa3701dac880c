import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { makePostgresDatabase } from '../../rig/database/postgres.ts';
import { buildTestApp, type TestApp, testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

/* Two instances on one database: each has its own store, cache and listener. */
const stores: Store[] = [];
let instances: [TestApp, TestApp];
let operator: TestOperatorApp;

before(async () => {
  const url = await makePostgresDatabase();
  const clock = testClock();
  for (let count = 0; count < 2; count++) stores.push((await openStore(url, clock.now)).store);
  const [one, other] = stores as [Store, Store];
  instances = [await buildTestApp({ store: one, clock }), await buildTestApp({ store: other, clock })];
  operator = await buildTestOperatorApp(one, clock);
});
after(async () => {
  for (const store of stores) await store.close();
});

const SESSIONS = '/v1/accounts/store-1/sessions';
const create = async () =>
  (await operator.send(SESSIONS, { method: 'POST', body: { person: 'ada' } })).body as {
    id: string;
    code: string;
  };
/** Both instances refresh every 500 ms. */
const refresh = () => Promise.all(instances.map(({ keyCache }) => keyCache.refresh()));
const statuses = (key: string) =>
  Promise.all(instances.map(async (app) => (await app.send('/v1/key', { key })).status));

for (const [what, end] of [
  [
    'an ended session is refused by the other instance after it read the ends, which takes a second at most',
    (id: string) => operator.send(`${SESSIONS}/${id}`, { method: 'DELETE' }),
  ],
  [
    'a person who signs out at one instance is refused by the other',
    (_id: string, key: string) => instances[1].send('/v1/session', { method: 'DELETE', key }),
  ],
] as const)
  test(what, async () => {
    const { id, code } = await create();
    const { key } = (await instances[0].send('/v1/session', { method: 'POST', body: { code } })).body;
    await refresh();
    assert.deepEqual(await statuses(key), [200, 200]);
    assert.equal((await end(id, key)).status, 204);
    await refresh();
    assert.deepEqual(await statuses(key), [401, 401]);
  });
