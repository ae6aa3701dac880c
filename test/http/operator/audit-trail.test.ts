import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditAction, AuditEntry } from '../../../src/audit/audit.ts';
import { formatAudit } from '../../../src/audit/audit.ts';
import { noteKey } from '../../rig/database/isolation.ts';
import { buildTestApp, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const KEYS = '/v1/accounts/store-1/keys';

test('the audit trail and the log say who changed keys and endpoints, with an address only if a setting says so', async () => {
  const app = await buildTestApp();
  const config = { ...testConfig, logAddresses: 'on' } as const;
  const operator = await buildTestOperatorApp(app.store, app.clock, config);
  const created = (await operator.send(KEYS, { method: 'POST', body: { scopes: ['webhooks'] } })).body;
  const rolled = (
    await operator.send(`${KEYS}/${created.id}/roll`, { method: 'POST', body: { grace: '1h' } })
  ).body;
  const url = 'https://shop.example/hooks?token=a-token';
  const { key } = rolled;
  noteKey(key, 'store-1');
  const { id, secret } = (await app.send('/v1/webhooks', { method: 'POST', key, body: { url } })).body;
  const at = `/v1/webhooks/${id}`;
  await app.send(at, { method: 'PATCH', key, body: { url: `${url}2`, label: 'a label' } });
  await app.send(at, { method: 'PATCH', key, body: { state: 'disabled' } });
  await app.send(at, { method: 'PATCH', key, body: { state: 'disabled' } });
  await app.send(at, { method: 'GET', key });
  await app.send(at, { method: 'PATCH', key, body: { state: 'enabled' } });
  await app.send(`${at}/rotate-secret`, { method: 'POST', key });
  await app.send(`${at}/replay`, { method: 'POST', key, body: { after: 0 } });
  await app.send(at, { method: 'DELETE', key });
  for (let times = 0; times < 2; times++) await operator.send(`${KEYS}/${created.id}`, { method: 'DELETE' });

  const trail = (await app.store.listAudit('store-1', null, 100)).filter(({ via }) => via === 'api');
  const [{ id: operatorKey } = { id: '' }] = await app.store.listApiKeys('*', null, 1);
  const expected: [action: AuditAction, subject: string, detail: object | null][] = [
    ['key.created', created.id, { scopes: ['webhooks'], expiresAt: null }],
    ['key.rolled', created.id, { newKeyId: rolled.id, acceptedUntil: rolled.replaced.expiresAt }],
    ['endpoint.created', id, null],
    ['endpoint.changed', id, { fields: ['url', 'label'] }],
    ['endpoint.disabled', id, { reason: 'requested' }],
    ['endpoint.enabled', id, null],
    ['endpoint.rotated', id, null],
    ['endpoint.replayed', id, { after: 0 }],
    ['endpoint.deleted', id, null],
    ['key.revoked', created.id, null],
  ];
  const inOrder = expected.map(([action]) => trail.find((entry) => entry.action === action));
  assert.equal(trail.length, expected.length);
  for (const [index, [action, subject, detail]] of expected.entries()) {
    const byKey = action.startsWith('key.')
      ? { actor: operatorKey, address: '127.0.0.1' }
      : { actor: rolled.id, address: null };
    const { id: _, ...entry } = inOrder[index] as AuditEntry;
    const atMs = app.clock.now();
    assert.deepEqual(entry, { account: 'store-1', atMs, action, subject, detail, via: 'api', ...byKey });
  }
  const logged = [...operator.logged, ...app.logged].flatMap((line) => {
    const { logged: _, ...audit } = JSON.parse(line).audit ?? {};
    return audit.id === undefined ? [] : audit;
  });
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  assert.deepEqual(logged.sort(byId), trail.map(formatAudit).sort(byId));
  for (const line of operator.logged.filter((one) => one.includes('"msg":"request"')))
    assert.match(line, /"address":"127\.0\.0\.1"/);
  for (const secretText of [created.key, key, secret, 'a-token', 'a label'])
    assert.ok(!JSON.stringify(trail).includes(secretText), secretText);
});
