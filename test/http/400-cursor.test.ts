import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';

const LIST = '/v1/transactions';

async function walkBegun(query = ''): Promise<{ app: TestApp; key: string; cursor: string }> {
  const app = await buildTestApp();
  const rows = ['store-1', 'store-2'].flatMap((account) =>
    Array.from({ length: 15 }, (_, index) =>
      transaction(account, String(index).padStart(2, '0'), {
        createdAtMs: DAY('2026-03-01') + index * 3_600_000,
      }),
    ),
  );
  await record(app.store, rows);
  const key = await app.makeKey('store-1');
  const { body } = await app.send(`${LIST}?${query}`, { key });
  return { app, key, cursor: body.nextCursor };
}

test('400 cursor_expired: a cursor is accepted until a millisecond before its expiry', async () => {
  const { app, key, cursor } = await walkBegun();
  app.clock.advance(86_400_000 - 1);
  assert.equal((await app.send(`${LIST}?cursor=${cursor}`, { key })).status, 200);
  app.clock.advance(1);
  const { status, body } = await app.send(`${LIST}?cursor=${cursor}`, { key });
  assert.equal(status, 400);
  assert.equal(body.code, 'cursor_expired');
  assert.match(body.detail, /expired at 2026-06-16T12:00:00\.000Z/);
});

test('400 cursor_expired: resume needs a key of the account, and its cursor expires as well and is resumed', async () => {
  const { app, key, cursor } = await walkBegun('from=2020-01-01');
  const next = await app.send(`${LIST}?cursor=${cursor}`, { key });
  let resume = `${LIST}?cursor=${cursor}`;
  for (let round = 0; round < 3; round++) {
    app.clock.advance(86_400_000);
    const { body } = await app.send(resume, { key });
    assert.equal(body.code, 'cursor_expired');
    resume = body.resume;
    assert.deepEqual((await app.send(resume, { key })).body, next.body);
  }
  assert.equal((await app.send(resume)).status, 401);
  const stranger = await app.makeKey('store-2');
  assert.equal((await app.send(resume, { key: stranger })).body.code, 'cursor_malformed');
});

test('400 cursor_malformed: an expired cursor of a secret that was removed has no resume', async () => {
  const secrets = ['old secret of at least 32 characters', 'new secret of at least 32 characters'] as const;
  const old = await buildTestApp({ cursorSecrets: [secrets[0]] });
  await record(
    old.store,
    Array.from({ length: 15 }, (_, index) => transaction('store-1', String(index).padStart(2, '0'))),
  );
  const key = await old.makeKey('store-1');
  const { nextCursor } = (await old.send(LIST, { key })).body;
  old.clock.advance(90_000_000);
  const send = async (cursorSecrets: string[], url: string) => {
    const app = await buildTestApp({ cursorSecrets, store: old.store, clock: old.clock });
    return (await app.send(url, { key })).body;
  };
  const removed = await send([secrets[1]], `${LIST}?cursor=${nextCursor}`);
  assert.deepEqual([removed.code, removed.resume], ['cursor_malformed', undefined]);
  // While both are set, the fresh cursor has the new secret: a walk goes on through a rotation.
  const { resume } = await send([secrets[1], secrets[0]], `${LIST}?cursor=${nextCursor}`);
  assert.equal((await send([secrets[1]], resume)).data.length, 5);
});

test('400 cursor_expired: a clock that is set back accepts the cursor again, and the fresh one until its expiry', async () => {
  const { app, key, cursor } = await walkBegun();
  app.clock.advance(86_400_000);
  const { resume } = (await app.send(`${LIST}?cursor=${cursor}`, { key })).body;
  app.clock.advance(-3_600_000);
  assert.equal((await app.send(`${LIST}?cursor=${cursor}`, { key })).status, 200);
  assert.equal((await app.send(resume, { key })).status, 200);
  app.clock.advance(86_400_000 + 3_600_000);
  assert.equal((await app.send(resume, { key })).body.code, 'cursor_expired');
});

test('400 cursor_malformed: an expired cursor of another account is malformed, not expired', async () => {
  const { app, cursor } = await walkBegun();
  app.clock.advance(90_000_000);
  const { body } = await app.send(`${LIST}?cursor=${cursor}`, { key: await app.makeKey('store-2') });
  assert.equal(body.code, 'cursor_malformed');
  assert.equal(body.resume, undefined);
});

test('200: a cursor survives a restart, another instance, and the rotation of its secret', async () => {
  const secrets = ['old secret of at least 32 characters', 'new secret of at least 32 characters'] as const;
  const old = await buildTestApp({ cursorSecrets: [secrets[0]] });
  await record(
    old.store,
    Array.from({ length: 15 }, (_, index) => transaction('store-1', String(index).padStart(2, '0'))),
  );
  const key = await old.makeKey('store-1');
  const { body } = await old.send(LIST, { key });
  const go = async (cursorSecrets: string[]) => {
    const app = await buildTestApp({ cursorSecrets, store: old.store, clock: old.clock });
    return (await app.send(`${LIST}?cursor=${body.nextCursor}`, { key })).status;
  };
  assert.equal(await go([secrets[0]]), 200);
  assert.equal(await go([secrets[1], secrets[0]]), 200);
  assert.equal(await go([secrets[1]]), 400);
});
