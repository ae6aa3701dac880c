import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/app.ts';
import { completed, pending } from '../rig/changes.ts';
import { record } from '../rig/transactions.ts';

const CHANGES = '/v1/changes';

async function recordAll(app: TestApp, ...rows: AccountTransaction[]): Promise<void> {
  for (const row of rows) await record(app.store, [row]);
}

const rows = (count: number, account = 'store-1') =>
  Array.from({ length: count }, (_, index) => pending(account, `r${index + 1}`));

test('200: each change shows the transaction as it was right after it, with its number, type and time', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const first = pending('store-1', 'a');
  await record(app.store, [first]);
  app.clock.advance(1500);
  await recordAll(app, completed(first), completed(pending('store-1', 'b')));
  const { status, body } = await app.send(CHANGES, { key });
  assert.equal(status, 200);
  const [became, paid, other] = body.data;
  const ids = body.data.map(({ id }: { id: string }) => id);
  assert.deepEqual(body, {
    data: [became, paid, other],
    lastSequence: 3,
    lastId: ids[2],
    headSequence: 3,
    hasMore: false,
  });
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) assert.match(id, /^chg_[A-Za-z0-9_-]{22}$/);

  const { transaction, ...rest } = became;
  assert.deepEqual(rest, {
    sequence: 1,
    id: ids[0],
    type: 'transaction.pending',
    previousStatus: null,
    recordedAt: '2026-06-15T12:00:00.000Z',
  });
  const listed = await app.send('/v1/transactions/store-1.a', { key });
  assert.deepEqual(transaction, { ...listed.body, status: 'pending', paidAt: null });
  assert.deepEqual(paid, {
    sequence: 2,
    id: ids[1],
    type: 'transaction.completed',
    previousStatus: 'pending',
    recordedAt: '2026-06-15T12:00:01.500Z',
    transaction: listed.body,
  });
  assert.deepEqual(
    [other.sequence, other.type, other.previousStatus, other.transaction.reference],
    [3, 'transaction.completed', null, 'store-1.b'],
  );
});

test('200: reading page after page returns each change once, with hasMore until the last page', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await record(app.store, rows(25));
  const seen: number[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await app.send(`${CHANGES}?after=${after}&limit=10`, { key });
    for (const { sequence } of body.data) seen.push(sequence);
    assert.deepEqual([body.lastSequence, body.headSequence], [seen.length, 25]);
    assert.equal(body.hasMore, seen.length < 25);
    ({ lastSequence: after, hasMore } = body);
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 25 }, (_, index) => index + 1),
  );
});

test('200: without limit a page has 100 changes, and at most 1000', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await record(app.store, rows(1001));
  assert.equal((await app.send(CHANGES, { key })).body.data.length, 100);
  const { body } = await app.send(`${CHANGES}?limit=1000`, { key });
  assert.deepEqual([body.data.length, body.lastSequence, body.hasMore], [1000, 1000, true]);
});

test('200: an account without changes has the head 0, and where there is nothing new, lastSequence and lastId are those of after', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const none = { data: [], lastSequence: 0, lastId: null, headSequence: 0, hasMore: false };
  assert.deepEqual((await app.send(CHANGES, { key })).body, none);
  await record(app.store, rows(3));
  const { lastId } = (await app.send(CHANGES, { key })).body;
  const { body } = await app.send(`${CHANGES}?after=3`, { key });
  assert.deepEqual(body, { ...none, lastSequence: 3, lastId, headSequence: 3 });
});

test('200: accounts have separate numbers, and each key gets only the changes of its account', async () => {
  const app = await buildTestApp();
  await record(app.store, [...rows(2, 'store-1'), ...rows(3, 'store-2')]);
  for (const [account, count] of [
    ['store-1', 2],
    ['store-2', 3],
    ['store', 0],
  ] as const) {
    const { body } = await app.send(CHANGES, { key: await app.makeKey(account) });
    assert.deepEqual([body.data.length, body.headSequence], [count, count], account);
  }
});

test('200: the headers are those of the list, and HEAD gets the same ones without a body', async () => {
  const app = await buildTestApp({ config: { ...testConfig, rateLimit: { perSecond: 10, burst: 20 } } });
  const key = await app.makeKey('store-1');
  const list = await app.send('/v1/transactions', { key });
  const changes = await app.send(CHANGES, { key });
  assert.deepEqual(Object.keys(changes.headers).sort(), Object.keys(list.headers).sort());
  assert.equal(changes.headers['ratelimit'], '"key";r=18;t=0');
  const head = await app.send(`${CHANGES}?wait=0`, { key, method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
  assert.equal(head.headers['content-length'], changes.headers['content-length']);
});

test('401: without a key there are no changes', async () => {
  const app = await buildTestApp();
  assert.equal((await app.send(CHANGES)).body.code, 'missing_api_key');
  assert.equal((await app.send(CHANGES, { key: 'tk_live_wrong' })).body.code, 'invalid_api_key');
});

test('a line of the log has the position and the number of changes', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await record(app.store, rows(5));
  app.logged.length = 0;
  await app.send(`${CHANGES}?after=2&limit=2`, { key });
  const { after, count, waitedMs, route } = JSON.parse(app.logged[0] ?? '');
  assert.deepEqual([route, after, count, waitedMs], [CHANGES, 2, 2, 0]);
});

test('200 and 404: the changes of one transaction are those of the feed; unknown and foreign references get the same response', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const first = pending('store-1', 'a');
  await recordAll(app, first, pending('store-1', 'b'), completed(first), pending('store-2', 'c'));
  const all = (await app.send(CHANGES, { key })).body.data;
  const at = (reference: string) => `/v1/transactions/${reference}/changes`;
  const { status, body } = await app.send(at('store-1.a'), { key });
  assert.equal(status, 200);
  assert.deepEqual(body, { data: [all[0], all[2]], nextCursor: null, hasMore: false });
  assert.deepEqual((await app.send(at('store-1.b'), { key })).body, {
    data: [all[1]],
    nextCursor: null,
    hasMore: false,
  });
  for (const reference of ['store-2.c', 'store-1.c', 'x'.repeat(65)]) {
    const refused = await app.send(at(reference), { key });
    assert.deepEqual([refused.status, refused.body.code], [404, 'not_found'], reference);
  }
  const { body: faulty } = await app.send(`${at('store-1.a')}?after=1`, { key });
  assert.equal(faulty.code, 'unknown_parameter');
});
