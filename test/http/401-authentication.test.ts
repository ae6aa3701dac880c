import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';

const LIST = '/v1/transactions';
const CHALLENGE = 'Bearer realm="transactions"';

test('401 invalid_api_key: unknown, misspelt, revoked and expired keys get the same response', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const unknown = await (await buildTestApp()).makeKey('store-1');
  const revoked = await app.makeKey('store-1', { id: 'key_revoked000000000' });
  await app.store.revokeApiKey('key_revoked000000000', app.clock.now(), someEntry());
  const expired = await app.makeKey('store-1', { expiresAtMs: app.clock.now() });
  const misspelt = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const responses = [];
  for (const wrong of [
    unknown,
    revoked,
    expired,
    misspelt,
    `${key}x`,
    'x',
    key.toUpperCase(),
    `${key} ${key}`,
  ]) {
    const { status, headers, body } = await app.send(LIST, { key: wrong });
    assert.equal(status, 401);
    assert.equal(headers['www-authenticate'], `${CHALLENGE}, error="invalid_token"`);
    responses.push({ ...body, requestId: '' });
  }
  for (const response of responses) assert.deepEqual(response, responses[0]);
  assert.equal(responses[0]?.code, 'invalid_api_key');
});

test('401: a key is accepted until a millisecond before its expiry', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { expiresAtMs: app.clock.now() + 1000 });
  app.clock.advance(999);
  assert.equal((await app.send(LIST, { key })).status, 200);
  app.clock.advance(1);
  assert.equal((await app.send(LIST, { key })).status, 401);
});

test('401: two Authorization headers are refused, even if one of them is valid', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const url = new URL(await app.server.listen({ port: 0, host: '127.0.0.1' }));
  try {
    const { connect } = await import('node:net');
    const socket = connect(Number(url.port), '127.0.0.1');
    socket.end(
      `GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAuthorization: Bearer other\r\nConnection: close\r\n\r\n`,
    );
    const response = (await socket.setEncoding('utf8').toArray()).join('');
    assert.match(response, /^HTTP\/1\.1 401 /);
    assert.match(response, /more than one Authorization header/);
  } finally {
    await app.server.close();
  }
});

test('401: a key that another instance revoked is refused within a second', async () => {
  const app = await buildTestApp();
  const other = await buildTestApp({ store: app.store, clock: app.clock });
  const key = await app.makeKey('store-1', { id: 'key_revoked000000000' });
  // The first refresh, as the service makes it at its interval. No further refresh succeeds.
  await app.keyCache.refresh();
  assert.equal((await app.send(LIST, { key })).status, 200);
  await other.store.revokeApiKey('key_revoked000000000', app.clock.now(), someEntry());
  assert.equal((await other.send(LIST, { key })).status, 401);
  app.clock.advance(1000);
  assert.equal((await app.send(LIST, { key })).status, 401);
});

test('the last use of a key is buffered, and written to the store later', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  await app.send(LIST, { key });
  const lastUse = async () => (await app.store.listApiKeys('store-1', null, 100))[0]?.lastUsedAtMs;
  assert.equal(await lastUse(), null);
  await app.keyUses.flush(app.store);
  assert.equal(await lastUse(), app.clock.now());
});
