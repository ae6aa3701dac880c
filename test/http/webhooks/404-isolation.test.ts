import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../rig/service/app.ts';
import { failure, progress } from '../../rig/webhooks/webhooks.ts';

const WEBHOOKS = '/v1/webhooks';
const url = 'https://shop.example/webhooks';

/** Every operation on one endpoint. */
const OPERATIONS = [
  ['GET', ''],
  ['HEAD', ''],
  ['PATCH', '', { label: 'mine' }],
  ['DELETE', ''],
  ['POST', '/test'],
  ['POST', '/replay', { after: 0 }],
  ['POST', '/rotate-secret'],
  ['GET', '/failures'],
  ['POST', '/failures/1/retry'],
] as const;

test('404: the endpoint of another account, as one that does not exist, for every operation; nothing is sent or changed', async () => {
  const app = await buildTestApp();
  const owner = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const other = await app.makeKey('store-2', { scopes: ['webhooks'] });
  const { id } = (await app.send(WEBHOOKS, { method: 'POST', key: owner, body: { url } })).body;
  await app.store.storeProgress('store-1', id, 1, progress(1, { failed: [failure(1)] }));
  const before = await app.store.findWebhook('store-1', id);
  for (const [method, path, body] of OPERATIONS) {
    const send = (key: string, endpoint: string) =>
      app.send(`${WEBHOOKS}/${endpoint}${path}`, { method, key, body, headers: { 'request-id': 'same' } });
    const foreign = await send(other, id);
    const absent = await send(owner, 'we_0000000000000000');
    assert.equal(foreign.status, 404, `${method} ${path}`);
    assert.deepEqual([foreign.status, foreign.text], [absent.status, absent.text]);
  }
  assert.deepEqual((await app.send(WEBHOOKS, { key: other })).body, {
    data: [],
    nextCursor: null,
    hasMore: false,
  });
  assert.deepEqual(app.receivers.sent, []);
  assert.deepEqual(await app.store.findWebhook('store-1', id), before);
});

test('404: what is not the id of an endpoint or a sequence number, for every operation', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  const { id } = (await app.send(WEBHOOKS, { method: 'POST', key, body: { url } })).body;
  for (const wrong of ['we_1', `${id}x`, id.toUpperCase(), '%2e%2e', '%00', "x'--"]) {
    for (const [method, path, body] of OPERATIONS) {
      const { status } = await app.send(`${WEBHOOKS}/${wrong}${path}`, { method, key, body });
      assert.equal(status, 404, `${method} ${wrong}${path}`);
    }
  }
  for (const wrong of ['0x1', '01', '-1', '1.0', '9007199254740993', 'a', '%20'])
    assert.equal(
      (await app.send(`${WEBHOOKS}/${id}/failures/${wrong}/retry`, { method: 'POST', key })).status,
      404,
      wrong,
    );
});

test('405: other methods, with those that the path takes', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { scopes: ['webhooks'] });
  for (const [method, path, allow] of [
    ['PUT', WEBHOOKS, 'GET, HEAD, POST'],
    ['PATCH', WEBHOOKS, 'GET, HEAD, POST'],
    ['POST', `${WEBHOOKS}/we_0000000000000000`, 'DELETE, GET, HEAD, PATCH'],
    ['GET', `${WEBHOOKS}/we_0000000000000000/test`, 'POST'],
    ['DELETE', `${WEBHOOKS}/we_0000000000000000/failures`, 'GET, HEAD'],
  ] as const) {
    const { status, headers } = await app.send(path, { method, key, text: 'not JSON' });
    assert.deepEqual([status, headers['allow']], [405, allow], `${method} ${path}`);
  }
});
