import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, type TestRequest } from '../../rig/service/app.ts';

const WEBHOOKS = '/v1/webhooks';
const ABSENT = `${WEBHOOKS}/we_0000000000000000`;
const url = 'https://shop.example/webhooks';

/** The service, and a function that sends requests with a key of store-1. */
async function service() {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const send = (method: NonNullable<TestRequest['method']>, path: string, request: TestRequest = {}) =>
    app.send(path, { method, key, ...request });
  return { app, send };
}

const pointersOf = (body: { errors: { pointer: string }[] }) => body.errors.map(({ pointer }) => pointer);

const codesOf = (body: { errors: { code: string }[] }) => body.errors.map(({ code }) => code);

test('422: every fault of a new endpoint has its pointer and code, all at once, and nothing is created', async () => {
  const { send } = await service();
  const body = { url: 'http://x', types: ['x', 1], label: '', ordered: 0, 'a/b': 1 };
  const refused = await send('POST', WEBHOOKS, { body });
  assert.equal(refused.status, 422);
  assert.deepEqual(pointersOf(refused.body), ['/a~1b', '/url', '/types/0', '/types/1', '/label', '/ordered']);
  assert.deepEqual(codesOf(refused.body), [
    'unknown_field',
    'invalid_value',
    'invalid_value',
    'invalid_type',
    'invalid_value',
    'invalid_type',
  ]);
  assert.equal(refused.body.detail, 'The body has 6 faults: see errors.');
  assert.deepEqual((await send('GET', WEBHOOKS)).body.data, []);
});

test('422: a single fault is in the detail', async () => {
  const { send } = await service();
  const { status, body } = await send('POST', WEBHOOKS, { body: { url, ordered: 'no' } });
  assert.deepEqual([status, body.detail], [422, '/ordered is a string; write true or false.']);
});

test('422: a name that is repeated in the body is refused', async () => {
  const { send } = await service();
  const text = JSON.stringify({ url }).replace('{', '{"url":"https://other.example/",');
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await send('POST', WEBHOOKS, { text, headers });
  assert.deepEqual([status, body.detail], [422, '/url is in the body more than once; write it once.']);
  assert.deepEqual((await send('GET', WEBHOOKS)).body.data, []);
});

test('422: every fault of a change has its pointer, and nothing is changed', async () => {
  const { send } = await service();
  const { id, secret: _, ...fields } = (await send('POST', WEBHOOKS, { body: { url } })).body;
  const body = { url: null, types: [], label: {}, ordered: [], state: 'paused', secret: 'x' };
  const refused = await send('PATCH', `${WEBHOOKS}/${id}`, { body });
  assert.equal(refused.status, 422);
  assert.deepEqual(pointersOf(refused.body), ['/secret', '/url', '/types', '/label', '/ordered', '/state']);
  assert.deepEqual((await send('GET', `${WEBHOOKS}/${id}`)).body, { id, ...fields });
});

test('422: every fault of a replay has its pointer and code', async () => {
  const { send } = await service();
  const refused = await send('POST', `${ABSENT}/replay`, { body: { after: '0', before: 1 } });
  assert.deepEqual([refused.status, pointersOf(refused.body)], [422, ['/before', '/after']]);
  assert.deepEqual(codesOf(refused.body), ['unknown_field', 'invalid_type']);
});

test('400: every fault of a query has its parameter, for each operation', async () => {
  const { send } = await service();
  const failures = await send('GET', `${ABSENT}/failures?cursor=-&limit=0&status=x`);
  assert.deepEqual(
    [failures.status, failures.body.errors.map(({ parameter }: { parameter: string }) => parameter)],
    [400, ['limit', 'status']],
  );
  for (const [method, path, body] of [
    ['GET', WEBHOOKS],
    ['POST', WEBHOOKS, { url }],
    ['GET', ABSENT],
    ['PATCH', ABSENT, {}],
    ['DELETE', ABSENT],
    ['POST', `${ABSENT}/test`],
    ['POST', `${ABSENT}/replay`, { after: 0 }],
    ['POST', `${ABSENT}/rotate-secret`],
    ['POST', `${ABSENT}/failures/7/retry`],
  ] as const) {
    const { status, body: refused } = await send(method, `${path}?force=1`, { body });
    assert.deepEqual([status, refused.code], [400, 'unknown_parameter'], `${method} ${path}`);
  }
});

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
