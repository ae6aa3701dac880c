import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../values/calendar.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const LIST = '/v1/transactions';

test('in the last seven days of a key, every response for which the key was checked has its expiry in Key-Expires', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const expiresAtMs = app.clock.now() + 8 * DAY_MS;
  const keys = {
    read: await app.makeKey('store-1', { expiresAtMs }),
    webhooks: await app.makeKey('store-1', { expiresAtMs, scopes: ['webhooks'] }),
    lasting: await app.makeKey('store-1', { id: 'key_0000000000000001' }),
  };
  const noticeOf = async (key: string | undefined, url = LIST) =>
    (await app.send(url, key === undefined ? {} : { key })).headers['key-expires'];

  app.clock.set(expiresAtMs - 7 * DAY_MS - 1);
  for (const key of Object.values(keys)) assert.equal(await noticeOf(key), undefined);
  app.clock.advance(1);
  const notice = new Date(expiresAtMs).toISOString();
  for (const url of [LIST, `${LIST}?limit=1`, `${LIST}/none`, `${LIST}.csv`, '/v1/changes', '/v1/totals'])
    assert.equal(await noticeOf(keys.read, url), notice, url);
  assert.equal(await noticeOf(keys.webhooks), notice);
  for (const key of [keys.lasting, 'x', undefined]) assert.equal(await noticeOf(key), undefined);

  const roll = { method: 'POST', body: { grace: '24h' } } as const;
  await operator.send('/v1/accounts/store-1/keys/key_0000000000000001/roll', roll);
  assert.equal(await noticeOf(keys.lasting), new Date(app.clock.now() + DAY_MS).toISOString());
  app.clock.set(expiresAtMs);
  assert.equal(await noticeOf(keys.read), undefined);
});
