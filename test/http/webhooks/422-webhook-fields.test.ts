import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestRequest } from '../../rig/service/app.ts';

const WEBHOOKS = '/v1/webhooks';
const ABSENT = `${WEBHOOKS}/we_0000000000000000`;

/** The service, and a function that sends requests with a key of store-1. */
async function service() {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const send = (method: NonNullable<TestRequest['method']>, path: string, request: TestRequest = {}) =>
    app.send(path, { method, key, ...request });
  return { app, send };
}

test('400 and 415: a body that is missing, is not an object, is not JSON, or is of another type', async () => {
  const { send } = await service();
  for (const [method, path] of [
    ['POST', WEBHOOKS],
    ['PATCH', ABSENT],
    ['POST', `${ABSENT}/replay`],
  ] as const) {
    const codeOf = async (request: TestRequest) => {
      const { status, body } = await send(method, path, request);
      return `${status} ${body.code}`;
    };
    assert.equal(await codeOf({}), '400 invalid_body');
    for (const text of ['', '[]', 'null', '"x"', '{"url":', '{"after":01}'])
      assert.equal(await codeOf({ text }), '400 invalid_body', text);
    const headers = { 'content-type': 'text/plain' };
    assert.equal(await codeOf({ text: '{}', headers }), '415 unsupported_media_type');
    const body = { label: 'x'.repeat(20_000) };
    assert.equal(await codeOf({ body }), '413 payload_too_large');
  }
});

test('422: a URL to which the instance that delivers cannot deliver, whatever the settings of the one that is asked', async () => {
  const { app, send } = await service();
  const body = { url: 'http://10.1.2.3/webhooks' };
  const status = async () => (await send('POST', WEBHOOKS, { body })).status;
  assert.equal(await status(), 422);
  const deliver = (rules: string) => app.store.leaseWebhooks({ instance: 'other', rules, leaseMs: 6000 });
  await deliver('WEBHOOK_NETWORKS=10.0.0.0/8,127.0.0.1 WEBHOOK_HTTP=true WEBHOOK_PROXY=');
  assert.equal(await status(), 201);
  for (const rules of [
    'WEBHOOK_NETWORKS=10.0.0.0/8 WEBHOOK_HTTP=false WEBHOOK_PROXY=',
    'WEBHOOK_NETWORKS= WEBHOOK_HTTP=true WEBHOOK_PROXY=set',
    '?',
  ]) {
    await deliver(rules);
    assert.equal(await status(), 422, rules);
  }
});
