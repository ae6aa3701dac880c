import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ArgumentError, AuthenticationError, NotFoundError } from '../../client/src/index.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { clientOf } from '../rig/http/client.ts';
import { buildTestApp } from '../rig/service/app.ts';

test('a client retrieves what its key is for, whatever the scopes of the key', async () => {
  const app = await buildTestApp();
  for (const scopes of [['read'], ['webhooks'], ['read', 'webhooks']] as const) {
    const { client, requests } = clientOf(app, await app.makeKey('store-1', { scopes }));
    const { id, ...key } = await client.key();
    assert.deepEqual(key, {
      account: 'store-1',
      kind: 'key',
      person: null,
      scopes: [...scopes],
      expiresAt: null,
    });
    assert.match(id, /^key_[0-9A-Za-z]{16}$/);
    assert.deepEqual(requests, ['/v1/key']);
  }
  const expiresAtMs = app.clock.now() + 1000;
  const { client } = clientOf(app, await app.makeKey('store-2', { expiresAtMs }));
  const { account, expiresAt } = await client.key();
  assert.deepEqual(
    { account, expiresAt },
    { account: 'store-2', expiresAt: new Date(expiresAtMs).toISOString() },
  );
  await assert.rejects(clientOf(app, 'tk_live_unknown').client.key(), AuthenticationError);
});

test('a client lists the changes of one transaction', async () => {
  const app = await buildTestApp();
  const row = pending('store-1', 'a');
  await record(app.store, [row]);
  await record(app.store, [completed(row)]);
  const { client, requests } = clientOf(app, await app.makeKey('store-1'));
  const changes = await client.transactions.changes('store-1.a');
  assert.deepEqual(
    changes.map(({ sequence, type }) => [sequence, type]),
    [
      [1, 'transaction.pending'],
      [2, 'transaction.completed'],
    ],
  );
  assert.deepEqual(requests, ['/v1/transactions/store-1.a/changes']);
  await assert.rejects(client.transactions.changes('store-1.b'), NotFoundError);
  await assert.rejects(client.transactions.changes(''), ArgumentError);
});
