import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../../src/values/calendar.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const KEYS = '/v1/accounts/store-1/keys';
const LIST = '/v1/transactions';

async function serve() {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const create = async (body: object = {}) => (await operator.send(KEYS, { method: 'POST', body })).body;
  const roll = (id: string, body: object = {}) =>
    operator.send(`${KEYS}/${id}/roll`, { method: 'POST', body });
  const use = async (key: string) => (await app.send(LIST, { key })).status;
  const list = async () => (await operator.send(KEYS, { method: 'GET' })).body.data;
  return { app, operator, clock: app.clock, create, roll, use, list };
}

test('201: a rolled key has a new one with its account, label and scopes, and is accepted for 24 hours more', async () => {
  const { clock, create, roll, use, list } = await serve();
  const old = await create({ label: 'till 4', scopes: ['read', 'webhooks'] });
  const { status, body } = await roll(old.id);
  assert.equal(status, 201);
  const endMs = clock.now() + DAY_MS;
  const { id, key, keyStart, replaced, ...properties } = body;
  assert.notEqual(id, old.id);
  assert.notEqual(key, old.key);
  assert.deepEqual(replaced, { id: old.id, expiresAt: new Date(endMs).toISOString() });
  assert.equal(keyStart, key.slice(0, 14));
  const { id: _, key: __, keyStart: ___, ...expected } = old;
  assert.deepEqual(properties, expected);

  const rolledAt = new Date(clock.now()).toISOString();
  const [listedOld, listedNew] = (await list()).sort((one: { id: string }) => (one.id === old.id ? -1 : 1));
  assert.deepEqual(
    [listedOld.state, listedOld.rolledAt, listedOld.expiresAt],
    ['active', rolledAt, replaced.expiresAt],
  );
  assert.deepEqual([listedNew.state, listedNew.rolledAt, listedNew.expiresAt], ['active', null, null]);

  clock.set(endMs - 1);
  assert.deepEqual([await use(old.key), await use(key)], [200, 200]);
  clock.set(endMs);
  assert.deepEqual([await use(old.key), await use(key)], [401, 200]);
});

test('201: the new key gets the lifetime that the old one was given, also if it is rolled again after a lost response', async () => {
  const { clock, create, roll } = await serve();
  const expiresAtMs = clock.now() + 90 * DAY_MS;
  const [expiring, lasting] = [
    await create({ expiresAt: new Date(expiresAtMs).toISOString() }),
    await create(),
  ];
  clock.advance(30 * DAY_MS);
  for (let count = 0; count < 3; count++) {
    const { body } = await roll(expiring.id, { grace: '7d' });
    assert.equal(body.expiresAt, new Date(clock.now() + 90 * DAY_MS).toISOString());
    assert.equal((await roll(lasting.id, { grace: '7d' })).body.expiresAt, null);
    clock.advance(DAY_MS);
  }
});

test('201: expiresAt is the expiry of the new key, null for never', async () => {
  const { clock, create, roll } = await serve();
  const { id } = await create({ expiresAt: new Date(clock.now() + DAY_MS).toISOString() });
  const expiresAt = new Date(clock.now() + 5 * DAY_MS).toISOString();
  for (const given of [expiresAt, null])
    assert.equal((await roll(id, { expiresAt: given })).body.expiresAt, given);
});

test('201: a roll never lets a key end later', async () => {
  const { clock, create, roll } = await serve();
  const { id } = await create({ expiresAt: new Date(clock.now() + 7_200_000).toISOString() });
  const endsAfterMs = async (grace: string) =>
    Date.parse((await roll(id, { grace })).body.replaced.expiresAt) - clock.now();
  assert.equal(await endsAfterMs('24h'), 7_200_000);
  assert.equal(await endsAfterMs('30m'), 1_800_000);
  assert.equal(await endsAfterMs('30d'), 1_800_000);
  assert.equal(await endsAfterMs('90s'), 90_000);
  assert.equal(await endsAfterMs('0'), 0);
});

test('409 key_not_active: a revoked, an expired and an ended key are not rolled, and no new one is made', async () => {
  const { operator, clock, create, roll, list } = await serve();
  const [revoked, expired, ended] = [
    await create(),
    await create({ expiresAt: new Date(clock.now() + 1).toISOString() }),
    await create(),
  ];
  await operator.send(`${KEYS}/${revoked.id}`, { method: 'DELETE' });
  assert.equal((await roll(ended.id, { grace: '0' })).status, 201);
  clock.advance(1);
  for (const { id } of [revoked, expired, ended]) {
    const { status, body } = await roll(id);
    assert.deepEqual([status, body.code], [409, 'key_not_active']);
  }
  assert.equal((await list()).length, 4);
});

test('404: a key cannot be rolled through another account, nor by an id that no key can have', async () => {
  const { app, operator, roll } = await serve();
  const { id } = (await operator.send('/v1/accounts/store-2/keys', { method: 'POST', body: {} })).body;
  for (const one of [id, 'key_0000000000000000', 'x']) assert.equal((await roll(one)).status, 404);
  const [untouched, ...others] = await app.store.listApiKeys('store-2', null, 100);
  assert.deepEqual([untouched?.expiresAtMs, others.length], [null, 0]);
  assert.deepEqual(await app.store.listApiKeys('store-1', null, 100), []);
});
