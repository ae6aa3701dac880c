import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  InvalidFieldsError,
  InvalidRequestError,
  type ListedAccount,
  NotFoundError,
  PlatformClient,
} from '../../client/src/platform.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { clientOf, fetchFrom, testOptions } from '../rig/http/client.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const HOUR_MS = 3_600_000;

async function platformOf(config = testConfig) {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock, config);
  const platformWith = (apiKey: string) =>
    new PlatformClient(testOptions({ url: 'https://service.test', apiKey, fetch: fetchFrom(operator) }));
  return { app, operator, platformWith, platform: platformWith(operator.key) };
}

test('a key is created, rolled, revoked and listed', async () => {
  const { app, platform } = await platformOf();
  const keys = platform.account('store-1').keys;
  const { key, ...created } = await keys.create({ label: 'webshop', scopes: ['read', 'webhooks'] });
  assert.equal((await clientOf(app, key).client.key()).id, created.id);
  const { replaced, ...rolled } = await keys.roll(created.id, { grace: '1h' });
  assert.equal(replaced.id, created.id);
  assert.equal(Date.parse(replaced.expiresAt ?? ''), app.clock.now() + HOUR_MS);
  assert.deepEqual([rolled.label, rolled.scopes], ['webshop', ['read', 'webhooks']]);
  await keys.revoke(rolled.id);
  const states = (await keys.list()).map(({ id, state }) => [id, state]);
  assert.deepEqual(Object.fromEntries(states), { [created.id]: 'active', [rolled.id]: 'revoked' });
  await assert.rejects(keys.roll(rolled.id), (error) => {
    assert.ok(error instanceof InvalidRequestError);
    return error.status === 409 && error.code === 'key_not_active';
  });
});

test('a session is created, listed by person, and ended, either alone or with all sessions of its person', async () => {
  const { app, platform } = await platformOf();
  const { sessions } = platform.account('store-1');
  const { code, url, ...created } = await sessions.create({ person: 'ada & co', reason: 'ticket 1' });
  assert.deepEqual([url, created.person, created.reason], [null, 'ada & co', 'ticket 1']);
  const opened = await app.send('/v1/session', { method: 'POST', body: { code } });
  assert.equal((await clientOf(app, opened.body.key).client.key()).person, 'ada & co');
  for (let count = 0; count < 101; count++) await sessions.create({ person: 'ben' });
  const statesOf = async (query: { person?: string }) =>
    Object.groupBy(await sessions.list(query), ({ state }) => state);
  assert.equal((await statesOf({ person: 'ben' }))['waiting']?.length, 101);
  assert.deepEqual(Object.keys(await statesOf({ person: 'ada & co' })), ['open']);
  await sessions.end(created.id);
  await sessions.endAll('ben');
  assert.equal((await statesOf({}))['ended']?.length, 102);
  await assert.rejects(platform.account('store-2').sessions.end(created.id), NotFoundError);
  await assert.rejects(sessions.create({ person: '' }), InvalidFieldsError);
});

test('several pages of keys and accounts are listed completely, once and in order, even after a cursor has expired', async () => {
  const config = { ...testConfig, cursorLifetimeSeconds: 1 };
  const { app, platform, operator, platformWith } = await platformOf(config);
  const names = Array.from({ length: 120 }, (_, nth) => `shop-${String(nth).padStart(3, '0')}`);
  for (const name of names) await app.makeKey(name);
  await record(app.store, [transaction('shop-007', 'a'), transaction('zebra', 'a')]);
  const listed: ListedAccount[] = [];
  for await (const account of platform.accounts()) {
    listed.push(account);
    app.clock.advance(100);
  }
  const found = listed.filter(({ account }) => account !== '*');
  assert.deepEqual(
    found.map(({ account }) => account),
    [...names, 'zebra'],
  );
  assert.equal(found[7]?.headSequence, 1);
  const prefixed = platformWith(await operator.makeKey({ scopes: ['read'], accountPrefix: 'z' }));
  assert.deepEqual(await Array.fromAsync(prefixed.accounts()), [found.at(-1)]);
  for (let nth = 0; nth < 120; nth++) await app.makeKey('zebra');
  const ids = (await platform.account('zebra').keys.list()).map(({ id }) => id);
  assert.deepEqual([ids.length, new Set(ids).size], [120, 120]);
});
