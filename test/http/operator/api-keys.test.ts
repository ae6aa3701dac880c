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
  assert.deepEqual(body.data, [{ ...fields, state: 'active', revokedAt: null, lastUsedAt: null }]);

  const revoked = await operator.send(`${KEYS}/${created.body.id}`, { method: 'DELETE' });
  assert.equal(revoked.status, 200);
  assert.equal(revoked.body.state, 'revoked');
  assert.equal((await app.send('/v1/transactions', { key: created.body.key })).status, 401);
});

test('404: a key cannot be revoked through another account', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const { id } = (await operator.send('/v1/accounts/store-2/keys', { method: 'POST', body: {} })).body;
  for (const path of [`${KEYS}/${id}`, `${KEYS}/key_0000000000000000`, `${KEYS}/x`]) {
    assert.equal((await operator.send(path, { method: 'DELETE' })).status, 404);
  }
  assert.equal((await app.store.listApiKeys('store-2'))[0]?.revokedAtMs, null);
});

test('422: all faults of a key request are reported at once', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const { status, body } = await operator.send(KEYS, {
    method: 'POST',
    body: { label: '', expiresAt: '2020-01-01T00:00:00Z', lable: 1 },
  });
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/lable', '/label', '/expiresAt'],
  );
});
