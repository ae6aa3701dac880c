import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declareStatuses } from '../../src/values/status.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/app.ts';
import { DAY, record, transaction } from '../rig/transactions.ts';

const LIST = '/v1/transactions';

async function appWith(count: number): Promise<{ app: TestApp; key: string }> {
  const app = await buildTestApp();
  const rows = Array.from({ length: count }, (_, index) =>
    transaction('store-1', String(index).padStart(4, '0'), { createdAtMs: DAY('2026-03-01') + index }),
  );
  await record(app.store, rows);
  return { app, key: await app.makeKey('store-1') };
}

test('200: an account without transactions has one empty page, which is the last', async () => {
  const { app, key } = await appWith(0);
  const response = await app.send(LIST, { key });
  assert.equal(response.status, 200);
  assert.deepEqual(response.body, { data: [], nextCursor: null, hasMore: false });
  assert.equal(response.headers['link'], undefined);
  assert.equal(response.headers['cursor-expires'], undefined);
});

test('200: a transaction has exactly the fields and formats of the specification', async () => {
  const app = await buildTestApp();
  await record(app.store, [
    transaction('store-1', 'b', {
      merchantReference: 'order "7" é 😀',
      amountMinor: 5,
      createdAtMs: DAY('2026-03-01') + 7,
      paidAtMs: DAY('2026-03-02'),
    }),
    transaction('store-1', 'a', { status: 'pending', amountMinor: -123_456, currencyCode: 'JPY' }),
  ]);
  const { body, headers } = await app.send(LIST, { key: await app.makeKey('store-1') });
  assert.deepEqual(body.data, [
    {
      reference: 'store-1.b',
      merchantReference: 'order "7" é 😀',
      status: 'completed',
      amount: '0.05',
      currencyCode: 'EUR',
      paidAt: '2026-03-02T00:00:00.000Z',
      createdAt: '2026-03-01T00:00:00.007Z',
    },
    {
      reference: 'store-1.a',
      merchantReference: null,
      status: 'pending',
      amount: '-1234.56',
      currencyCode: 'JPY',
      paidAt: null,
      createdAt: '2026-03-01T00:00:00.000Z',
    },
  ]);
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
});

for (const [count, pages] of [
  [9, [9]],
  [10, [10]],
  [11, [10, 1]],
  [20, [10, 10]],
  [21, [10, 10, 1]],
] as const) {
  test(`200: ${count} transactions make pages of ${pages.join(', ')}; only the last page has no cursor`, async () => {
    const { app, key } = await appWith(count);
    const sizes: number[] = [];
    const references: string[] = [];
    for (let url: string | undefined = LIST; url !== undefined; ) {
      const { body, headers } = await app.send(url, { key });
      sizes.push(body.data.length);
      references.push(...body.data.map((row: { reference: string }) => row.reference));
      assert.equal(body.hasMore, body.nextCursor !== null);
      assert.equal(headers['link'] !== undefined, body.hasMore);
      url = /^<(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
      if (url !== undefined) assert.equal(url, `${LIST}?cursor=${body.nextCursor}`);
    }
    assert.deepEqual(sizes, pages);
    assert.deepEqual(references, [...references].sort().reverse());
    assert.equal(new Set(references).size, count);
  });
}

test('200: Cursor-Expires is one lifetime from now, on each page', async () => {
  const { app, key } = await appWith(30);
  const first = await app.send(LIST, { key });
  assert.equal(first.headers['cursor-expires'], '2026-06-16T12:00:00.000Z');
  assert.match(first.body.nextCursor, /^[A-Za-z0-9_-]{1,512}$/);
  app.clock.advance(60_000);
  const second = await app.send(`${LIST}?cursor=${first.body.nextCursor}`, { key });
  assert.equal(second.headers['cursor-expires'], '2026-06-16T12:01:00.000Z');
});

test('200: the same cursor on unchanged data gives the same page', async () => {
  const { app, key } = await appWith(30);
  const { body } = await app.send(LIST, { key });
  const pages = [1, 2, 3].map(() => app.send(`${LIST}?cursor=${body.nextCursor}`, { key }));
  const [first, ...others] = (await Promise.all(pages)).map((page) => page.body.data);
  for (const other of others) assert.deepEqual(other, first);
});

test('200: a cursor works with any key of its account', async () => {
  const { app, key } = await appWith(30);
  const { body } = await app.send(LIST, { key });
  const other = await app.makeKey('store-1');
  assert.equal((await app.send(`${LIST}?cursor=${body.nextCursor}`, { key: other })).status, 200);
});

test('200: each filter restricts every page of the list, alone and combined', async () => {
  const app = await buildTestApp();
  const rows = Array.from({ length: 240 }, (_, index) =>
    transaction('store-1', String(index).padStart(4, '0'), {
      createdAtMs: DAY('2026-03-01') + index * 1_800_000,
      status: index % 2 === 0 ? 'pending' : 'completed',
      currencyCode: index % 3 === 0 ? 'USD' : 'EUR',
    }),
  );
  await record(app.store, rows);
  const key = await app.makeKey('store-1');
  const walk = async (query: string) => {
    const found: Record<string, string>[] = [];
    for (let url: string | null = `${LIST}?${query}`; url !== null; ) {
      const { body } = await app.send(url, { key });
      found.push(...body.data);
      url = body.nextCursor && `${LIST}?cursor=${body.nextCursor}`;
    }
    return found;
  };
  assert.equal((await walk('status=pending')).length, 120);
  assert.equal((await walk('currency=USD')).length, 80);
  assert.equal((await walk('currency=GBP')).length, 0);
  assert.equal((await walk('status=pending&currency=USD')).length, 40);
  assert.equal((await walk('from=2026-03-02&to=2026-03-02')).length, 48);
  assert.equal((await walk('from=2026-03-05')).length, 48);
  assert.equal((await walk('to=2026-03-01')).length, 48);
  const all = await walk('status=pending&currency=USD&from=2026-03-02&to=2026-03-03');
  assert.equal(all.length, 16);
  for (const row of all) {
    assert.equal(row['status'], 'pending');
    assert.equal(row['currencyCode'], 'USD');
    assert.match(String(row['createdAt']), /^2026-03-0[23]T/);
  }
});

test('200: a declared status filters like a built-in one', async () => {
  const declared = declareStatuses('failed:unpaid,refunded:paid');
  assert.ok('statuses' in declared);
  const app = await buildTestApp({ config: { ...testConfig, statuses: declared.statuses } });
  await record(app.store, [
    transaction('store-1', 'a', { status: 'failed', paidAtMs: null }),
    transaction('store-1', 'b', { status: 'refunded', paidAtMs: DAY('2026-03-01') }),
    transaction('store-1', 'c'),
  ]);
  const key = await app.makeKey('store-1');
  const { body } = await app.send(`${LIST}?status=refunded`, { key });
  assert.deepEqual(
    body.data.map((row: { reference: string }) => row.reference),
    ['store-1.b'],
  );
  assert.equal((await app.send(LIST, { key })).body.data.length, 3);
});

test('200: a transaction recorded during a walk moves no other transaction', async () => {
  const { app, key } = await appWith(25);
  const first = await app.send(LIST, { key });
  await record(app.store, [
    transaction('store-1', 'newest', { createdAtMs: DAY('2026-03-02') }),
    transaction('store-1', 'oldest', { createdAtMs: DAY('2026-02-01') }),
  ]);
  const second = await app.send(`${LIST}?cursor=${first.body.nextCursor}`, { key });
  const third = await app.send(`${LIST}?cursor=${second.body.nextCursor}`, { key });
  const references = [first, second, third].flatMap(({ body }) =>
    body.data.map((row: { reference: string }) => row.reference),
  );
  assert.equal(references.length, 26);
  assert.equal(new Set(references).size, 26);
  assert.equal(references.at(-1), 'store-1.oldest');
});
