import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declareStatuses } from '../../src/values/status.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const LIST = '/v1/transactions';

async function appWith(count: number): Promise<{ app: TestApp; key: string }> {
  const app = await buildTestApp();
  const rows = Array.from({ length: count }, (_, index) =>
    transaction('store-1', String(index).padStart(4, '0'), { createdAtMs: DAY('2026-03-01') + index }),
  );
  await record(app.store, rows);
  return { app, key: await app.makeKey('store-1') };
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

test('400: a file that Accept asks for is refused with where it is, unless JSON is accepted too', async () => {
  const { app, key } = await appWith(1);
  for (const accept of ['text/csv', 'application/x-ndjson', 'application/vnd.ms-excel;q=0.9, text/csv']) {
    const { status, body } = await app.send(LIST, { key, headers: { accept } });
    assert.equal(status, 400, accept);
    assert.match(body.detail, /^Responses are JSON: omit Accept\. GET \/v1\/transactions\.csv and/);
  }
  for (const accept of ['text/csv, */*;q=0.1', 'application/json, text/csv', 'text/html', '*/*'])
    assert.equal((await app.send(LIST, { key, headers: { accept } })).status, 200, accept);
  assert.equal((await app.send(`${LIST}.csv`, { key, headers: { accept: 'text/csv' } })).status, 200);
});
