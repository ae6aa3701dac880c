import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

const DAY_MS = 86_400_000;
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const idAt = (number: number) => `key_${String(number).padStart(16, '0')}`;

const COLLECTIONS = ['/v1/accounts', '/v1/accounts/many/keys', `/v1/webhooks/${idOf(1)}/failures`] as const;

async function serve() {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  await app.store.createWebhook(webhook(1), 20, someEntry());
  const failed = numbers(25).map((number) => failure(number + 1));
  assert.ok(await app.store.storeProgress('store-1', idOf(1), 1, progress(25, { failed })));
  for (const number of numbers(150))
    await app.makeKey('many', { id: idAt(number), createdAtMs: 100 - (number >> 1) });
  await record(
    app.store,
    numbers(60).map((number) => transaction(`account-${number}`, 'one')),
  );
  for (const number of numbers(60)) await app.makeKey(`key-${number}`);
  const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
  const get = (path: string) =>
    path.startsWith('/v1/accounts') ? operator.send(path, { method: 'GET' }) : app.send(path, { key });
  return { app, get };
}

test('400: a cursor works only for its collection and account; after its expiry, resume continues at the same place', async () => {
  const { app, get } = await serve();
  const others = [
    ...COLLECTIONS,
    '/v1/accounts/key-1/keys',
    '/v1/accounts/many/sessions',
    '/v1/transactions',
  ];
  for (const path of COLLECTIONS) {
    const next = `?cursor=${(await get(path)).body.nextCursor}`;
    const { body } = await get(path + next);
    for (const other of others.filter((one) => one !== path)) {
      const { body: refused } = await get(other + next);
      assert.deepEqual([refused.code, refused.resume], ['cursor_malformed', undefined], `${path} ${other}`);
    }
    app.clock.advance(DAY_MS - 1);
    assert.equal((await get(path + next)).status, 200);
    app.clock.advance(1);
    const { body: expired } = await get(path + next);
    assert.equal(expired.code, 'cursor_expired');
    assert.ok(expired.resume.startsWith(`${path}?cursor=`), expired.resume);
    assert.deepEqual((await get(expired.resume)).body.data, body.data);
  }
});
