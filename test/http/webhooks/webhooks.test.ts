import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Attempt, SendResult } from '../../../src/webhooks/send.ts';
import { buildTestApp, type TestRequest } from '../../rig/service/app.ts';

const WEBHOOKS = '/v1/webhooks';
const URL = 'https://shop.example/webhooks?token=t0ken';

async function service() {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const { body: created } = await app.send(WEBHOOKS, { method: 'POST', key, body: { url: URL } });
  const send = (method: NonNullable<TestRequest['method']>, path: string, body?: unknown) =>
    app.send(`${WEBHOOKS}/${created.id}${path}`, { method, key, body });
  return { app, key, id: created.id as string, send };
}

test('409: an idempotency key is remembered for 24 hours; the warning about a second endpoint with the same URL does not show its token', async () => {
  const { app, key, id } = await service();
  const headers = { 'idempotency-key': 'setup-1' };
  const post = () => app.send(WEBHOOKS, { method: 'POST', key, body: { url: URL }, headers });
  const { body } = await post();
  assert.match(body.warning, new RegExp(`^The endpoint ${id} has the same URL`));
  assert.doesNotMatch(body.warning, /t0ken/);
  app.clock.advance(86_400_000 - 1);
  assert.equal((await post()).body.secret, body.secret);
  app.clock.advance(1);
  const late = await post();
  assert.deepEqual([late.status, late.body.code], [409, 'idempotency_key_reused']);
  assert.doesNotMatch(late.text, /whsec_/);
});

test('422: a URL to which the delivering instance cannot deliver, whatever the settings of the instance that answers', async () => {
  const { app, key } = await service();
  const body = { url: 'http://10.1.2.3/webhooks' };
  for (const [rules, status] of [
    [null, 422],
    ['WEBHOOK_NETWORKS=10.0.0.0/8,127.0.0.1 WEBHOOK_HTTP=true WEBHOOK_PROXY=', 201],
    ['WEBHOOK_NETWORKS=10.0.0.0/8 WEBHOOK_HTTP=false WEBHOOK_PROXY=', 422],
    ['WEBHOOK_NETWORKS= WEBHOOK_HTTP=true WEBHOOK_PROXY=set', 422],
    ['?', 422],
  ] as const) {
    if (rules !== null) await app.store.leaseWebhooks({ instance: 'other', rules, leaseMs: 6000 });
    assert.equal((await app.send(WEBHOOKS, { method: 'POST', key, body })).status, status, String(rules));
  }
});

test('a test is not ended by the time limit of requests, logs how long it waited, and ends when its caller disconnects or the service stops', async (t) => {
  const { app, key, id, send } = await service();
  t.after(() => app.server.close());
  const answers: ((result: SendResult) => void)[] = [];
  app.receivers.answer = ({ signal }: Attempt) =>
    new Promise((resolve) => {
      answers.push(resolve);
      signal?.addEventListener('abort', () => resolve({ error: 'the attempt was ended' }));
    });
  const answered = async (count: number) => {
    while (answers.length < count) await nextTurn();
  };
  const sent = send('POST', '/test');
  await answered(1);
  app.logged.length = 0;
  app.clock.advance(14_000);
  answers[0]?.({ status: 200, retryAfterMs: null });
  assert.equal((await sent).body.durationMs, 14_000);
  const { waitedMs, delivered } = JSON.parse(app.logged[0] ?? '{}');
  assert.deepEqual([waitedMs, delivered], [14_000, true]);

  const address = await app.server.listen({ host: '127.0.0.1', port: 0 });
  const headers = { authorization: `Bearer ${key}` };
  const leaving = httpRequest(`${address}${WEBHOOKS}/${id}/test`, { method: 'POST', headers });
  leaving.on('error', () => {}).end();
  await answered(2);
  const { signal } = app.receivers.sent[1] as Attempt;
  const aborted = once(signal as AbortSignal, 'abort');
  leaving.destroy();
  await aborted;

  const stopped = send('POST', '/test');
  await answered(3);
  app.announceStop();
  assert.deepEqual([(await stopped).status, (await send('POST', '/test')).status], [503, 503]);
});
