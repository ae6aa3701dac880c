import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../rig/app.ts';
import { buildTestOperatorApp } from '../../rig/operator-app.ts';

const KEYS = '/v1/accounts/store-1/keys';

test('201 and 200: a key is created and works; it is listed without the key itself; revoked, it is refused', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const created = await operator.send(KEYS, {
    method: 'POST',
    body: { label: 'till 4', expiresAt: '2027-01-01T00:00:00Z' },
  });
  assert.equal(created.status, 201);
  assert.match(created.body.key, /^tk_live_[0-9A-Za-z]{36}$/);
  assert.equal((await app.send('/v1/transactions', { key: created.body.key })).status, 200);

  const { key: _, ...fields } = created.body;
  const { body } = await operator.send(KEYS, { method: 'GET' });
  const untouched = { revokedAt: null, rolledAt: null, lastUsedAt: null };
  assert.deepEqual(body.data, [{ ...fields, state: 'active', ...untouched }]);

  const revoked = await operator.send(`${KEYS}/${created.body.id}`, { method: 'DELETE' });
  assert.deepEqual([revoked.status, revoked.text], [204, '']);
  const again = await operator.send(`${KEYS}/${created.body.id}`, { method: 'DELETE' });
  assert.equal(again.status, 204, 'a revoked key stays, so a second request finds it');
  const [listed] = (await operator.send(KEYS, { method: 'GET' })).body.data;
  assert.equal(listed.state, 'revoked');
  assert.equal((await app.send('/v1/transactions', { key: created.body.key })).status, 401);
});

test('404: a key cannot be revoked through another account', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const { id } = (await operator.send('/v1/accounts/store-2/keys', { method: 'POST', body: {} })).body;
  for (const path of [`${KEYS}/${id}`, `${KEYS}/key_0000000000000000`, `${KEYS}/x`]) {
    assert.equal((await operator.send(path, { method: 'DELETE' })).status, 404);
  }
  assert.equal((await app.store.listApiKeys('store-2', null, 100))[0]?.revokedAtMs, null);
});

test('422: all faults of a key request are reported at once', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const { status, body } = await operator.send(KEYS, {
    method: 'POST',
    body: { label: '', scopes: [], expiresAt: '2020-01-01T00:00:00Z', lable: 1 },
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/lable', '/label', '/scopes', '/expiresAt'],
  );
});

test('201: a key has the scopes that are named, each once and in one order; read without any', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const [scopes, expected] of [
    [undefined, ['read']],
    [null, ['read']],
    [['read'], ['read']],
    [['webhooks'], ['webhooks']],
    [
      ['webhooks', 'read', 'webhooks'],
      ['read', 'webhooks'],
    ],
  ]) {
    const { status, body } = await operator.send(KEYS, { method: 'POST', body: { scopes } });
    assert.deepEqual([status, body.scopes], [201, expected]);
  }
  const { body } = await operator.send(KEYS, { method: 'GET' });
  assert.deepEqual(
    body.data.map(({ scopes }: { scopes: string[] }) => scopes.length).sort(),
    [1, 1, 1, 1, 2],
  );
});

test('422: scopes are refused if one is unknown, of the operator or no text, and the detail names the scopes', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const [scopes, detail] of [
    [['write'], /^has "write", which is not a scope; the scopes of an account's key are read, webhooks$/],
    [['read', 'keys'], /^has "keys", which is not a scope/],
    [[], /^has no scope; the scopes/],
    ['read', /^is not a list of texts; write for example \["read"\]$/],
    [['read', 1], /^is not a list of texts/],
    [{}, /^is not a list of texts/],
  ] as const) {
    const { status, body } = await operator.send(KEYS, { method: 'POST', body: { scopes } });
    assert.equal(status, 422);
    assert.deepEqual(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/scopes'],
    );
    assert.match(body.errors[0].detail, detail);
  }
  assert.deepEqual(await app.store.listApiKeys('store-1', null, 100), []);
});
