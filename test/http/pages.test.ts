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

/** Collections with at least two pages each, and their ids in their order, and one with another account. */
const COLLECTIONS = ['/v1/accounts', '/v1/accounts/many/keys', `/v1/webhooks/${idOf(1)}/failures`] as const;

async function serve() {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  await app.store.createWebhook(webhook(1), 20, someEntry());
  const failed = numbers(25).map((number) => failure(number + 1));
  assert.ok(await app.store.storeProgress('store-1', idOf(1), 1, progress(25, { failed })));
  // Two keys have each time, and later ones have earlier times.
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

test('a collection has each item once, in its order, on pages that lead to each other', async () => {
  const { get } = await serve();
  const byAge = numbers(75)
    .toReversed()
    .flatMap((pair) => [idAt(2 * pair), idAt(2 * pair + 1)]);
  const names = numbers(60).flatMap((number) => [`account-${number}`, `key-${number}`]);
  const expected = [[...names, 'many', 'store-1'].sort(), byAge, numbers(25).map((number) => number + 1)];
  for (const [index, path] of COLLECTIONS.entries()) {
    const found = [];
    for (let url: string | undefined = path; url !== undefined; ) {
      const { body, headers } = await get(url);
      found.push(
        ...body.data.map(
          (item: Record<string, unknown>) => item['sequence'] ?? item['id'] ?? item['account'],
        ),
      );
      url = body.hasMore ? `${path}?cursor=${body.nextCursor}` : undefined;
      assert.equal(headers['link'], url && `<${url}>; rel="next"`);
      assert.equal(headers['cursor-expires'] !== undefined, body.hasMore);
    }
    assert.deepEqual(found, expected[index], path);
  }
});

test('400: a cursor is of its collection and its account, and when it has expired, resume continues at the same place', async () => {
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
