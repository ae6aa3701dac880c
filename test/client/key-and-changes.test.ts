import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ArgumentError,
  AuthenticationError,
  type Fetch,
  NotFoundError,
  UnexpectedResponseError,
} from '../../client/src/index.ts';
import { completed, pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { clientOf, clientOn } from '../rig/http/client.ts';
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

test('a response that is not a key is refused', async () => {
  const key = {
    account: 'store-1',
    id: 'key_1',
    kind: 'key',
    person: null,
    scopes: ['read'],
    expiresAt: null,
  };
  const wrong = [
    null,
    [],
    { ...key, account: 1 },
    { ...key, kind: null },
    { ...key, person: 1 },
    { ...key, scopes: 'read' },
    { ...key, scopes: [1] },
    { ...key, expiresAt: 0 },
  ];
  for (const body of wrong) {
    const fetch: Fetch = async () => ({
      status: 200,
      headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
      text: async () => JSON.stringify(body),
    });
    await assert.rejects(
      clientOn(fetch, 'a-key').client.key(),
      UnexpectedResponseError,
      JSON.stringify(body),
    );
  }
});

test('a client lists the changes of one transaction, and refuses a response that is none', async () => {
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
  const fetch: Fetch = async () => ({
    status: 200,
    headers: { get: (name) => (name === 'content-type' ? 'application/json' : null) },
    text: async () => '{"data":[{}]}',
  });
  await assert.rejects(clientOn(fetch, 'a-key').client.transactions.changes('a'), UnexpectedResponseError);
});
