import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, type TestResponse } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { failure, idOf, progress, webhook } from '../rig/webhooks/webhooks.ts';

/* One rule of pagination: what is true of every collection but the list, which has filters, and the change feed, which has numbers. */

const DAY_MS = 86_400_000;

interface Listed {
  path: string;
  listener: 'public' | 'operator';
  /** The field that identifies an item. */
  id: string;
  pageItems: number;
  /** The ids of all items, in their order. */
  expected: string[];
}

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const padded = (number: number) => String(number).padStart(16, '0');

/** Stores items for each collection: for some of them more than two pages. */
async function fill({ store, makeKey }: TestApp): Promise<Listed[]> {
  await store.createWebhook(webhook(1), 20, someEntry());
  const failed = numbers(45).map((number) => failure(number + 1));
  assert.ok(await store.storeProgress('store-1', idOf(1), 1, progress(45, { failed })));
  // Two keys have each time, and later ones have earlier times.
  const keys = numbers(250).map((number) => ({
    id: `key_${padded(number)}`,
    createdAtMs: 200 - (number >> 1),
  }));
  for (const fields of keys) await makeKey('store-2', fields);
  const accounts = numbers(150).map((number) => `many-${padded(number)}`);
  await record(
    store,
    accounts.slice(0, 100).map((account) => transaction(account, 'one')),
  );
  for (const account of accounts.slice(50)) await makeKey(account);
  await record(store, [transaction('store-1', 'paid', { status: 'pending', paidAtMs: null })]);
  const byAge = keys.toSorted(
    (one, other) => one.createdAtMs - other.createdAtMs || (one.id < other.id ? -1 : 1),
  );
  const webhooks = '/v1/webhooks';
  const account = { listener: 'public', pageItems: 100, id: 'sequence' } as const;
  const operator = { listener: 'operator', pageItems: 100, id: 'id' } as const;
  const numbersOf = failed.map(({ sequence }) => `${sequence}`);
  return [
    { ...operator, path: '/v1/accounts', id: 'account', expected: [...accounts, 'store-1', 'store-2'] },
    { ...operator, path: '/v1/accounts/store-2/keys', expected: byAge.map(({ id }) => id) },
    { ...account, path: webhooks, id: 'id', expected: [idOf(1)] },
    { ...account, path: `${webhooks}/${idOf(1)}/failures`, pageItems: 20, expected: numbersOf },
    { ...account, path: '/v1/transactions/store-1.paid/changes', pageItems: 10, expected: ['1'] },
  ];
}

describe('a collection', () => {
  let app: TestApp;
  let send: (listed: Pick<Listed, 'listener'>, url: string) => Promise<TestResponse>;
  let collections: Listed[];

  before(async () => {
    app = await buildTestApp();
    const key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
    collections = await fill(app);
    const operator = await buildTestOperatorApp(app.store, app.clock);
    send = ({ listener }, url) =>
      listener === 'public' ? app.send(url, { key }) : operator.send(url, { method: 'GET' });
  });

  test('is read page by page: each item once, in its order, and the pages lead to each other', async () => {
    for (const listed of collections) {
      const { path, id, pageItems, expected } = listed;
      const found: string[] = [];
      for (let url = path; ; ) {
        const { status, body, headers } = await send(listed, url);
        assert.equal(status, 200, path);
        const ids = body.data.map((item: Record<string, unknown>) => String(item[id]));
        found.push(...ids);
        assert.equal(body.hasMore, body.nextCursor !== null);
        assert.equal(
          headers['link'],
          body.hasMore ? `<${path}?cursor=${body.nextCursor}>; rel="next"` : undefined,
        );
        assert.equal(headers['cursor-expires'] !== undefined, body.hasMore);
        if (!body.hasMore) break;
        assert.equal(ids.length, pageItems);
        assert.match(body.nextCursor, /^[A-Za-z0-9_-]{1,512}$/);
        url = `${path}?cursor=${body.nextCursor}`;
      }
      assert.deepEqual(found, expected, path);
    }
  });

  test('400 cursor_malformed: of another collection or another account, or altered', async () => {
    const cursors = new Map<Listed, string>();
    for (const listed of collections) {
      const { nextCursor } = (await send(listed, listed.path)).body;
      if (nextCursor !== null) cursors.set(listed, nextCursor);
    }
    assert.ok(cursors.size >= 3);
    for (const [of, cursor] of cursors)
      for (const listed of collections) {
        const { status, body } = await send(listed, `${listed.path}?cursor=${cursor}`);
        if (listed === of) assert.equal(status, 200);
        else assert.deepEqual([status, body.code], [400, 'cursor_malformed'], `${of.path} ${listed.path}`);
      }
  });

  test('400 cursor_expired: resume continues at the same place', async () => {
    for (const listed of collections) {
      const { nextCursor } = (await send(listed, listed.path)).body;
      if (nextCursor === null) continue;
      const next = await send(listed, `${listed.path}?cursor=${nextCursor}`);
      app.clock.advance(DAY_MS - 1);
      assert.equal((await send(listed, `${listed.path}?cursor=${nextCursor}`)).status, 200);
      app.clock.advance(1);
      const { status, body } = await send(listed, `${listed.path}?cursor=${nextCursor}`);
      assert.deepEqual([status, body.code], [400, 'cursor_expired']);
      assert.ok(body.resume.startsWith(`${listed.path}?cursor=`), body.resume);
      const resumed = await send(listed, body.resume);
      assert.deepEqual(resumed.body.data, next.body.data);
    }
  });
});
