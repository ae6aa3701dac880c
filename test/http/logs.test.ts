import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../src/core/store.ts';
import { buildTestApp } from '../rig/app.ts';
import { appOnFaultyStore, rejectWith } from '../rig/faulty-store.ts';
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

for (const [status, makeError] of [
  [503, () => new StoreUnavailable('disk I/O error')],
  [500, () => new TypeError('not a function')],
] as const) {
  test(`${status}: of a failure the log holds the cause, and nothing of the request but its route`, async () => {
    const { app, faults } = await appOnFaultyStore(['listTransactions'], rejectWith(makeError));
    const key = await app.makeKey('store-1');
    faults.failing = true;
    const answer = await app.ask(`${LIST}?from=2026-01-17&currency=CHF`, { key });
    assert.equal(answer.status, status);
    const lines = app.logged.join('');
    assert.ok(lines.includes(makeError().message));
    for (const secret of [key, '2026-01-17', 'CHF']) assert.ok(!lines.includes(secret), secret);
  });
}
