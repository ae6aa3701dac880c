import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildInfo } from '../../src/service/build-info.ts';
import type { StoreCall } from '../../src/store/wrap-store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { appOnFaultyStore, hang, rejectWith } from '../rig/store/faulty-store.ts';

const EVERY_CALL: readonly StoreCall[] = [
  'ping',
  'listTransactions',
  'findApiKey',
  'listKeyEnds',
  'touchApiKeys',
];

for (const path of ['/livez', '/healthz']) {
  test(`200: ${path} answers without the database`, async () => {
    const { app, faults } = await appOnFaultyStore(EVERY_CALL, hang);
    faults.failing = true;
    const { status, body } = await app.send(path);
    assert.equal(status, 200);
    assert.deepEqual(body, { status: 'ok' });
  });
}

test('200: the health checks need no key, and accept one', async () => {
  const app = await buildTestApp();
  for (const path of ['/livez', '/healthz', '/readyz']) {
    assert.equal((await app.send(path)).status, 200);
    assert.equal((await app.send(path, { key: 'tk_live_wrong' })).status, 200);
  }
});

for (const [what, fault] of [
  ['fails', rejectWith(() => new StoreUnavailable('database_error', 'gone'))],
  ['never answers', hang],
] as const) {
  test(`503: /readyz while the database ${what}, and 200 after that`, async () => {
    const { app, faults } = await appOnFaultyStore(['ping'], fault, {
      config: { ...testConfig, requestTimeoutMs: 50 },
    });
    assert.deepEqual((await app.send('/readyz')).body, { status: 'ok', ...buildInfo() });
    faults.failing = true;
    const { status, headers, body } = await app.send('/readyz');
    assert.equal(status, 503);
    assert.equal(body.code, 'unavailable');
    assert.equal(headers['retry-after'], '1');
    faults.failing = false;
    assert.equal((await app.send('/readyz')).status, 200);
  });
}

test('503: /readyz while the service is stopping', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  app.announceStop();
  const { status, body } = await app.send('/readyz');
  assert.equal(status, 503);
  assert.match(body.detail, /stopping/);
  assert.equal((await app.send('/livez')).status, 200);
  assert.equal((await app.send('/v1/transactions', { key })).status, 200);
});
