import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/app.ts';
import { record, transaction } from '../rig/transactions.ts';

const LIST = '/v1/transactions';

test('a request is one line: its id, route, status, time, account and the id of its key', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { id: 'key_0000000000000000' });
  app.logged.length = 0;
  await app.ask(LIST, { key, headers: { 'request-id': 'mine-7' } });
  assert.equal(app.logged.length, 1);
  const { time, pid, hostname, ...line } = JSON.parse(app.logged[0] as string);
  assert.deepEqual(line, {
    level: 30,
    requestId: 'mine-7',
    method: 'GET',
    route: LIST,
    status: 200,
    durationMs: 0,
    account: 'store-1',
    keyId: 'key_0000000000000000',
    msg: 'request',
  });
});

test('no key, cursor or value of a filter is in any line, whatever the answer', async () => {
  const app = await buildTestApp();
  await record(
    app.store,
    Array.from({ length: 12 }, (_, index) => transaction('store-1', `r${index}`)),
  );
  const key = await app.makeKey('store-1');
  const { body } = await app.ask(`${LIST}?from=2026-01-17`, { key });
  const cursor: string = body.nextCursor;
  const stranger = await (await buildTestApp()).makeKey('store-2');
  await app.ask(`${LIST}?cursor=${cursor}`, { key });
  await app.ask(`${LIST}?cursor=${cursor}x&status=xylophone&currency=XYZ&to=2026-01-18&nonsense=balalaika`, {
    key,
  });
  await app.ask(LIST, { key: stranger });
  await app.ask(`/nope/${key}?${cursor}`);
  await app.ask(`/nope/%zz${key}`);
  app.clock.advance(90_000_000);
  await app.ask(`${LIST}?cursor=${cursor}`, { key });
  const lines = app.logged.join('');
  for (const secret of [key, stranger, cursor, '2026-01-17', '2026-01-18', 'xylophone', 'XYZ', 'balalaika']) {
    assert.ok(!lines.includes(secret), `${secret} is in the log`);
  }
  assert.ok(app.logged.length >= 6);
});

test('a caller names a request by Request-Id or X-Request-Id, where the name is harmless', async () => {
  const app = await buildTestApp();
  const idFor = async (headers: Record<string, string>) =>
    (await app.ask('/livez', { headers })).headers['request-id'];
  assert.equal(await idFor({ 'request-id': 'a.b-c_1' }), 'a.b-c_1');
  assert.equal(await idFor({ 'x-request-id': 'other' }), 'other');
  for (const harmful of ['x'.repeat(65), 'a b', '{"a":1}', 'é', '']) {
    assert.match((await idFor({ 'request-id': harmful })) ?? '', /^[0-9a-f-]{36}$/);
  }
});
