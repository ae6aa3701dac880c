import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountTransaction } from '../../src/ledger/transaction.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';

const CHANGES = '/v1/changes';

async function recordAll(app: TestApp, ...rows: AccountTransaction[]): Promise<void> {
  for (const row of rows) await record(app.store, [row]);
}

const rows = (count: number, account = 'store-1') =>
  Array.from({ length: count }, (_, index) => pending(account, `r${index + 1}`));

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
