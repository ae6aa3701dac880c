import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConnectionError,
  type Fetch,
  NotFoundError,
  PermissionDeniedError,
  RateLimitedError,
  ServiceError,
  type TransactionsClient,
} from '../../client/src/index.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { answer, answering, answersInTurn, clientOf, clientOn } from '../rig/http/client.ts';
import { buildTestApp } from '../rig/service/app.ts';

const URL_OF_RECEIVER = 'https://shop.example/hooks';

test('an endpoint is created, listed, retrieved, changed, disabled, enabled, replayed, rotated and deleted', async () => {
  const app = await buildTestApp();
  await record(app.store, [transaction('store-1', 'r1')]);
  const { client, requests } = clientOf(app, await app.makeKey('store-1', { scopes: ['webhooks'] }));
  const { secret, ...created } = await client.webhooks.create({
    url: URL_OF_RECEIVER,
    types: ['transaction.completed'],
  });
  assert.match(String(secret), /^whsec_/);
  assert.deepEqual([created.label, created.ordered, created.state], [null, false, 'enabled']);
  assert.deepEqual(await client.webhooks.list(), [created]);
  assert.deepEqual(await client.webhooks.retrieve(created.id), created);
  const changed = await client.webhooks.update(created.id, { label: 'shop', state: 'disabled' });
  assert.deepEqual([changed.label, changed.state, changed.disabledReason], ['shop', 'disabled', 'requested']);
  assert.equal((await client.webhooks.update(created.id, { state: 'enabled' })).state, 'enabled');
  assert.equal((await client.webhooks.replay(created.id, 0)).acknowledgedSequence, 0);
  const rotated = await client.webhooks.rotateSecret(created.id);
  assert.match(String(rotated.secret), /^whsec_/);
  assert.notEqual(rotated.secret, secret);
  assert.deepEqual((await client.webhooks.failurePage(created.id)).data, []);
  for await (const failure of client.webhooks.failures(created.id)) assert.fail(String(failure.sequence));
  await assert.rejects(client.webhooks.retryFailure(created.id, 7), NotFoundError);
  await client.webhooks.delete(created.id);
  assert.deepEqual(await client.webhooks.list(), []);
  await assert.rejects(client.webhooks.retrieve(created.id), NotFoundError);
  assert.equal(requests[0], '/v1/webhooks');
  const reader = clientOf(app, await app.makeKey('store-1'));
  await assert.rejects(reader.client.webhooks.list(), PermissionDeniedError);
});

test('a request that is not safe to repeat is sent once, except after a refusal by the rate limit', async () => {
  const unavailable = answersInTurn(answer(503, { code: 'unavailable' }));
  for (const call of [
    ({ webhooks }: TransactionsClient) => webhooks.delete('we_1'),
    ({ webhooks }: TransactionsClient) => webhooks.rotateSecret('we_1'),
    ({ webhooks }: TransactionsClient) => webhooks.test('we_1'),
  ]) {
    const once = clientOn(unavailable, 'a-key');
    await assert.rejects(async () => call(once.client), ServiceError);
    assert.equal(once.requests.length, 1);
    const limited = answering(429, { code: 'rate_limited' }, { maxRetries: 2 });
    await assert.rejects(async () => call(limited.client), RateLimitedError);
    assert.equal(limited.requests.length, 3);
  }
  const repeated = clientOn(unavailable, 'a-key', { maxRetries: 2 });
  await assert.rejects(repeated.client.webhooks.update('we_1', { state: 'enabled' }), ServiceError);
  assert.equal(repeated.requests.length, 3);
});

test('the retries of a creation have one idempotency key, and another creation has another one', async () => {
  const keys: (string | undefined)[] = [];
  const lost: Fetch = async (_url, { headers }) => {
    keys.push(headers['idempotency-key']);
    throw new TypeError('fetch failed');
  };
  const { client } = clientOn(lost, 'a-key', { maxRetries: 2 });
  const endpoint = { url: URL_OF_RECEIVER };
  await assert.rejects(client.webhooks.create(endpoint), ConnectionError);
  await assert.rejects(client.webhooks.create(endpoint, { idempotencyKey: 'setup-1' }), ConnectionError);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.match(String(keys[0]), /^[0-9a-z]{20,28}$/);
  assert.deepEqual(keys.slice(3), ['setup-1', 'setup-1', 'setup-1']);
});
