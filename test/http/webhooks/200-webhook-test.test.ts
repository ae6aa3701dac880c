import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Attempt, SendResult } from '../../../src/webhooks/send.ts';
import { buildTestApp, type TestApp } from '../../rig/service/app.ts';

const WEBHOOKS = '/v1/webhooks';
const url = 'https://shop.example/webhooks';

async function service(account = 'store-1') {
  const app = await buildTestApp();
  const key = await app.makeKey(account, { scopes: ['webhooks'] });
  const { id, secret } = (await app.send(WEBHOOKS, { method: 'POST', key, body: { url } })).body;
  const send = (path: string, method: 'POST' | 'PATCH' = 'POST', body?: unknown) =>
    app.send(`${WEBHOOKS}/${id}/${path}`.replace(/\/$/, ''), { method, key, body });
  return { app, key, id, secret, send };
}

/** Receivers that answer when the test says so. */
function slowReceivers({ receivers }: TestApp) {
  const answers: ((result: SendResult) => void)[] = [];
  receivers.answer = ({ signal }: Attempt) =>
    new Promise((resolve) => {
      answers.push(resolve);
      signal?.addEventListener('abort', () => resolve({ error: 'the attempt was ended' }));
    });
  return async (count: number) => {
    while (answers.length < count) await nextTurn();
    return answers;
  };
}

const signatureOf = ({ headers, body }: Attempt, secret: string) => {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
};

test('200: a test is one signed POST of a webhook.test event, also to a disabled endpoint', async () => {
  const { app, id, secret, send } = await service();
  await send('', 'PATCH', { state: 'disabled' });
  const { status, body } = await send('test');
  assert.deepEqual([status, body], [200, { delivered: true, status: 204, error: null, durationMs: 0 }]);
  const [attempt, ...more] = app.receivers.sent;
  assert.ok(attempt !== undefined && more.length === 0);
  assert.equal(attempt.url, url);
  assert.equal(attempt.timeoutMs, 15_000);
  const timestamp = new Date(app.clock.now()).toISOString();
  assert.deepEqual(JSON.parse(attempt.body), { type: 'webhook.test', timestamp, data: { webhookId: id } });
  assert.match(attempt.headers['webhook-id'] ?? '', /^msg_[0-9A-Za-z]+$/);
  assert.equal(attempt.headers['webhook-timestamp'], String(app.clock.now() / 1000));
  assert.equal(attempt.headers['content-type'], 'application/json');
  assert.equal(attempt.headers['webhook-signature'], signatureOf(attempt, secret));
});

test('200: after a rotation a test has both signatures for 24 hours, then the new one', async () => {
  const { app, secret, send } = await service();
  const { body } = await send('rotate-secret');
  await send('test');
  app.clock.advance(86_400_000);
  await send('test');
  const [during, after] = app.receivers.sent as [Attempt, Attempt];
  assert.equal(
    during.headers['webhook-signature'],
    `${signatureOf(during, body.secret)} ${signatureOf(during, secret)}`,
  );
  assert.equal(after.headers['webhook-signature'], signatureOf(after, body.secret));
});

test('200: a test that fails says why, and changes nothing of the endpoint', async () => {
  const { app, id, send } = await service();
  const before = await app.store.findWebhook('store-1', id);
  for (const [answer, expected] of [
    [
      { status: 302, retryAfterMs: null },
      { status: 302, error: 'the receiver answered 302; redirects are not followed' },
    ],
    [
      { status: 410, retryAfterMs: 1000 },
      { status: 410, error: 'the receiver answered 410' },
    ],
    [{ error: 'no response within 15 s' }, { status: null, error: 'no response within 15 s' }],
  ] as const) {
    app.receivers.answer = async () => answer;
    const { status, body } = await send('test');
    assert.deepEqual([status, body], [200, { delivered: false, ...expected, durationMs: 0 }]);
  }
  assert.deepEqual(await app.store.findWebhook('store-1', id), before);
});

test('429: a third test of an account waits for neither of the first two, and other accounts are not refused', async () => {
  const { app, send } = await service();
  const answered = slowReceivers(app);
  const first = send('test');
  const second = send('test');
  const [answerFirst] = await answered(2);
  const refused = await send('test');
  assert.deepEqual(
    [refused.status, refused.body.code, refused.headers['retry-after']],
    [429, 'too_many_tests', '5'],
  );
  assert.equal(app.receivers.sent.length, 2);
  const other = await app.makeKey('store-2', { scopes: ['webhooks'] });
  const { body } = await app.send(WEBHOOKS, { method: 'POST', key: other, body: { url } });
  const third = app.send(`${WEBHOOKS}/${body.id}/test`, { method: 'POST', key: other });
  await answered(3);
  answerFirst?.({ status: 200, retryAfterMs: null });
  assert.equal((await first).body.delivered, true);
  const fourth = send('test');
  for (const answer of await answered(4)) answer({ status: 200, retryAfterMs: null });
  for (const one of [second, third, fourth]) assert.equal((await one).status, 200);
});

test('200: while a test waits for its receiver, its time limit does not pass, and its log line says how long it waited', async () => {
  const { app, send } = await service();
  const answered = slowReceivers(app);
  const sent = send('test');
  const [answer] = await answered(1);
  app.logged.length = 0;
  app.clock.advance(14_000);
  answer?.({ status: 200, retryAfterMs: null });
  assert.equal((await sent).body.durationMs, 14_000);
  const { waitedMs, delivered } = JSON.parse(app.logged[0] ?? '{}');
  assert.deepEqual([waitedMs, delivered], [14_000, true]);
});

test('a test ends when its caller leaves', async (t) => {
  const { app, key, id } = await service();
  t.after(() => app.server.close());
  const answered = slowReceivers(app);
  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${key}` };
  const sent = httpRequest(`${address}${WEBHOOKS}/${id}/test`, { method: 'POST', headers });
  sent.on('error', () => {});
  sent.end();
  await answered(1);
  const { signal } = app.receivers.sent[0] as Attempt;
  assert.equal(signal?.aborted, false);
  const aborted = once(signal as AbortSignal, 'abort');
  sent.destroy();
  await aborted;
});

test('503: the tests in flight end when the service stops', async () => {
  const { app, send } = await service();
  const answered = slowReceivers(app);
  const sent = send('test');
  await answered(1);
  app.announceStop();
  const { status, body } = await sent;
  assert.deepEqual([status, body.code], [503, 'unavailable']);
  assert.equal((await send('test')).status, 503);
});
