import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../../rig/data/transactions.ts';
import { buildTestApp, type TestApp, type TestRequest } from '../../rig/service/app.ts';
import { failure, progress } from '../../rig/webhooks/webhooks.ts';

const WEBHOOKS = '/v1/webhooks';
const URL = 'https://shop.example/webhooks?token=t0ken';

/** The service, and a function that sends requests with a key of store-1. */
async function service() {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const send = (method: NonNullable<TestRequest['method']>, path: string, body?: unknown) =>
    app.send(WEBHOOKS + path, { method, key, body });
  return { app, key, send };
}

const create = async (send: (method: 'POST', path: string, body: unknown) => ReturnType<TestApp['send']>) =>
  (await send('POST', '', { url: URL })).body;

test('200: an endpoint has the head of its account, also after later changes', async () => {
  const { app, send } = await service();
  const { id, headSequence } = await create(send);
  await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  await record(app.store, [transaction('store-2', 'a')]);
  const shown = [
    (await send('GET', '')).body.data[0],
    (await send('GET', `/${id}`)).body,
    (await send('PATCH', `/${id}`, { label: 'shop' })).body,
    (await send('POST', `/${id}/replay`, { after: 0 })).body,
  ];
  assert.equal(headSequence, 0);
  for (const one of shown) assert.deepEqual([one.acknowledgedSequence, one.headSequence], [0, 2]);
});

test('200: a HEAD is answered like a GET', async () => {
  const { send } = await service();
  const { id } = await create(send);
  for (const path of ['', `/${id}`, `/${id}/failures`]) {
    const { status, text } = await send('HEAD', path);
    assert.deepEqual([status, text], [200, '']);
  }
});

test('200: a replay sets the endpoint back; 422 if it would skip changes, and 400 beyond the head', async () => {
  const { app, send } = await service();
  await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
  const { id } = await create(send);
  const replay = (after: unknown) => send('POST', `/${id}/replay`, { after });
  assert.equal((await replay(1)).body.acknowledgedSequence, 1);
  const skipping = await replay(2);
  assert.deepEqual([skipping.status, skipping.body.errors[0].pointer], [422, '/after']);
  const ahead = await replay(3);
  assert.deepEqual(
    [ahead.status, ahead.body.code, ahead.body.headSequence, ahead.body.errors[0].pointer],
    [400, 'sequence_ahead', 2, '/after'],
  );
  assert.equal((await replay(0)).body.acknowledgedSequence, 0);
});

test('201: an endpoint that signs with v1a has a public key, also after a rotation, and its secret is in no response', async () => {
  const { app, send } = await service();
  const { status, body } = await send('POST', '', { url: URL, signing: 'v1a' });
  assert.deepEqual([status, body.signing, body.secret], [201, 'v1a', null]);
  const read = async () => (await send('GET', `/${body.id}`)).body;
  assert.equal((await read()).publicKey, body.publicKey);
  const rotated = (await send('POST', `/${body.id}/rotate-secret`)).body;
  assert.equal(rotated.secret, null);
  assert.notEqual(rotated.publicKey, body.publicKey);
  assert.equal((await read()).publicKey, rotated.publicKey);
  const stored = await app.store.findWebhook('store-1', body.id);
  assert.match(`${stored?.secret} ${stored?.previousSecret?.secret}`, /^whsk_\S{44} whsk_\S{44}$/);
  assert.deepEqual((await send('PATCH', `/${body.id}`, { signing: 'v1' })).status, 422);
});

test('200 and 202: failures are listed, and retried', async () => {
  const { app, send } = await service();
  const { id } = await create(send);
  const kept = { attempts: 10, firstFailedAtMs: 0, lastFailedAtMs: 1000, nextAttemptAtMs: null };
  const failed = [9, 4, 7].map((sequence) =>
    failure(sequence, { ...kept, responseStatus: null, error: 'no connection' }),
  );
  assert.ok(await app.store.storeProgress('store-1', id, 1, progress(9, { failed })));
  const listed = (await send('GET', `/${id}/failures`)).body;
  assert.deepEqual(
    [listed.data.map(({ sequence }: { sequence: number }) => sequence), listed.nextCursor, listed.hasMore],
    [[4, 7, 9], null, false],
  );
  assert.equal((await send('GET', `/${id}`)).body.failureCount, 3);

  const retried = await send('POST', `/${id}/failures/7/retry`);
  assert.deepEqual([retried.status, retried.text], [202, '']);
  const { body } = await send('GET', `/${id}/failures`);
  assert.deepEqual(body.data.slice(1, 2), [
    {
      sequence: 7,
      attempts: 10,
      firstFailedAt: '1970-01-01T00:00:00.000Z',
      lastFailedAt: '1970-01-01T00:00:01.000Z',
      nextAttemptAt: new Date(app.clock.now()).toISOString(),
      responseStatus: null,
      error: 'no connection',
    },
  ]);
  assert.equal((await send('POST', `/${id}/failures/5/retry`)).status, 404);
});

test('changes of an endpoint at the same time are all made', async () => {
  const { send } = await service();
  const { id } = await create(send);
  const changes = [
    { label: 'till' },
    { types: ['transaction.pending'] },
    { ordered: true },
    { state: 'disabled' },
  ];
  const statuses = await Promise.all(changes.map((one) => send('PATCH', `/${id}`, one)));
  assert.deepEqual(
    statuses.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  const { label, types, ordered, state } = (await send('GET', `/${id}`)).body;
  assert.deepEqual([label, types, ordered, state], ['till', ['transaction.pending'], true, 'disabled']);
});

test('a secret is shown once, in no other response and in no line of the log; URLs are in no line either', async () => {
  const { app, send } = await service();
  const { id, secret } = await create(send);
  const { body } = await send('POST', `/${id}/rotate-secret`);
  const responses = [
    await send('GET', ''),
    await send('GET', `/${id}`),
    await send('PATCH', `/${id}`, { label: 'x' }),
    await send('PATCH', `/${id}`, { url: `${URL}#${secret}`, label: secret.repeat(4) }),
    await send('PATCH', `/${id}`, { [secret]: 1, types: [secret] }),
    await send('POST', `/${id}/replay`, { after: 0 }),
    await send('POST', `/${id}/test`),
    await send('GET', `/${id}/failures`),
    await send('POST', `/${secret}/test`),
    await send('DELETE', `/${id}`),
  ];
  // A caller that sends a secret itself in the place of a name gets it back.
  const [, , , , echoed, ...rest] = responses;
  assert.equal(echoed?.status, 422);
  const shown = [...responses.slice(0, 4), ...rest].map(
    ({ text, headers }) => text + JSON.stringify(headers),
  );
  const lines = app.logged.join('');
  for (const one of [secret, body.secret]) {
    const key = one.slice('whsec_'.length);
    assert.ok(!shown.join('').includes(key));
    assert.ok(!lines.includes(key));
  }
  for (const text of ['shop.example', 't0ken']) assert.ok(!lines.includes(text));
  const logged = app.logged.map((line) => JSON.parse(line));
  assert.equal(logged.length, 12);
  const named = logged.filter(({ webhookId }) => webhookId === id);
  assert.equal(named.length, 10, 'the lines of requests for the endpoint have its id');
});

test('201: an idempotency key creates an endpoint once; 409 with other fields, 400 if it is malformed', async () => {
  const { app, key } = await service();
  const post = (idempotencyKey: string, body: object = { url: URL }) =>
    app.send(WEBHOOKS, { method: 'POST', key, body, headers: { 'idempotency-key': idempotencyKey } });
  const first = await post('setup-1');
  const again = await post('setup-1');
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.deepEqual(
    [first, again].map(({ headers }) => headers['idempotency-replayed']),
    [undefined, 'true'],
  );
  const reused = await post('setup-1', { url: URL, label: 'shop' });
  assert.deepEqual([reused.status, reused.body.code], [409, 'idempotency_key_reused']);
  assert.match(reused.body.detail, new RegExp(`the endpoint ${first.body.id}, which has a different label`));
  const malformed = await post('größe');
  assert.deepEqual([malformed.status, malformed.body.code], [400, 'idempotency_key_missing']);
  app.clock.advance(86_400_000);
  const late = await post('setup-1');
  assert.deepEqual([late.status, late.body.code], [409, 'idempotency_key_reused']);
  assert.doesNotMatch(late.text, /whsec_/);
});

test('201: an endpoint with the URL of another one has a warning, which names the other', async () => {
  const { send } = await service();
  const first = await create(send);
  assert.equal(first.warning, undefined);
  const second = await create(send);
  assert.match(second.warning, new RegExp(`^The endpoint ${first.id} has the same URL`));
  assert.doesNotMatch(second.warning, /t0ken/);
});

test('429: an account has at most 20 endpoints, and another one has its own', async () => {
  const { app, send } = await service();
  for (let count = 0; count < 20; count++) assert.equal((await send('POST', '', { url: URL })).status, 201);
  const { status, body } = await send('POST', '', { url: URL });
  assert.deepEqual([status, body.code], [429, 'too_many_webhooks']);
  assert.match(body.detail, /^The account has 20 endpoints already\./);
  const key = await app.makeKey('store-2', { scopes: ['webhooks'] });
  assert.equal((await app.send(WEBHOOKS, { method: 'POST', key, body: { url: URL } })).status, 201);
});
