import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ConnectionError,
  type Fetch,
  NotFoundError,
  PermissionDeniedError,
  RateLimitedError,
  ServiceError,
  TransactionsClient,
} from '../../client/src/index.ts';
import { PlatformClient } from '../../client/src/platform.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { answer, clientOf, clientOn, type TestOptions, testOptions } from '../rig/http/client.ts';
import { buildTestApp } from '../rig/service/app.ts';

type ErrorKind = typeof ServiceError | typeof RateLimitedError;

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
  const sent = async (call: (options: TestOptions) => Promise<unknown>, status: number, Kind: ErrorKind) => {
    let requests = 0;
    const fetch: Fetch = async () => {
      requests++;
      return answer(status);
    };
    const options = {
      url: 'https://service.test',
      apiKey: 'a-key',
      fetch,
      sleep: async () => {},
      maxRetries: 2,
    };
    await assert.rejects(async () => call(options), Kind);
    return requests;
  };
  const webhooks = (options: TestOptions) => new TransactionsClient(testOptions(options)).webhooks;
  const keys = (options: TestOptions) => new PlatformClient(testOptions(options)).account('store-1').keys;
  for (const call of [
    (options: TestOptions) => webhooks(options).delete('we_1'),
    (options: TestOptions) => webhooks(options).rotateSecret('we_1'),
    (options: TestOptions) => webhooks(options).test('we_1'),
    (options: TestOptions) => keys(options).create(),
    (options: TestOptions) => keys(options).roll('key_1'),
  ])
    assert.deepEqual([await sent(call, 503, ServiceError), await sent(call, 429, RateLimitedError)], [1, 3]);
  for (const call of [
    (options: TestOptions) => webhooks(options).update('we_1', { state: 'enabled' }),
    (options: TestOptions) => keys(options).revoke('key_1'),
  ])
    assert.equal(await sent(call, 503, ServiceError), 3);
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
