import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNT_EXAMPLES } from '../../../src/accounts/http/list-accounts.ts';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { DAY, record, transaction } from '../../rig/data/transactions.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const GET = { method: 'GET' } as const;

/** Both listeners on a store with 25 transactions of store-1 and one of store-2. */
async function serve() {
  const app = await buildTestApp();
  const rows = Array.from({ length: 25 }, (_, index) =>
    transaction('store-1', `pay_${index}`, {
      createdAtMs: DAY('2026-03-01') + index,
      merchantReference: index === 7 ? 'x'.repeat(255) : `order-${index % 2}`,
    }),
  );
  await record(app.store, [...rows, transaction('store-2', 'other')]);
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const key = await app.makeKey('store-1');
  return { app, operator, key };
}

test('400: an expired cursor is continued with a request of the same listener', async () => {
  const { app, operator } = await serve();
  const { nextCursor } = (await operator.send('/v1/accounts/store-1/transactions', GET)).body;
  const next = await operator.send(`/v1/accounts/store-1/transactions?cursor=${nextCursor}`, GET);
  app.clock.set(app.clock.now() + 2_592_000_001);
  const key = await operator.makeKey({ scopes: ['read'] });
  const { body } = await operator.send(`/v1/accounts/store-1/transactions?cursor=${nextCursor}`, {
    ...GET,
    key,
  });
  assert.equal(body.code, 'cursor_expired');
  assert.match(body.resume, /^\/v1\/accounts\/store-1\/transactions\?cursor=[\w-]+$/);
  assert.deepEqual((await operator.send(body.resume, { ...GET, key })).body.data, next.body.data);
});

test('200: the pages of accounts are their examples', async () => {
  const { store } = await openStore(IN_MEMORY_URL, () => 0, { drawNonce: () => 1 });
  const app = await buildTestApp({ store });
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (let index = 0; index < 12; index++) await record(app.store, [transaction('store-1', `pay_${index}`)]);
  for (const account of ['store-1', 'store-2']) await app.makeKey(account);
  const { status, body } = await operator.send('/v1/accounts', GET);
  assert.deepEqual([status, body], [200, ACCOUNT_EXAMPLES.all.value]);
});

test('200: a key with a prefix lists the accounts that begin with it', async () => {
  const { operator } = await serve();
  for (const [accountPrefix, expected] of [
    ['store-', ['store-1', 'store-2']],
    ['store-2', ['store-2']],
    ['shop-', []],
  ] as const) {
    const key = await operator.makeKey({ scopes: ['read'], accountPrefix });
    const { body } = await operator.send('/v1/accounts', { ...GET, key });
    assert.deepEqual(
      body.data.map(({ account }: { account: string }) => account),
      expected,
    );
  }
});
