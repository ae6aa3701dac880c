import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { appOnFaultyStore, hang } from '../../rig/store/faulty-store.ts';

test("200 and 503: the operator's listener reports its health as the public one does, without a key", async () => {
  const { app, faults } = await appOnFaultyStore(['ping'], hang);
  const operator = await buildTestOperatorApp(app.store, app.clock, { ...testConfig, requestTimeoutMs: 50 });
  const statusOf = async (url: string) => (await operator.send(url, { method: 'GET', key: null })).status;
  const paths = ['/livez', '/healthz', '/readyz'];
  assert.deepEqual(await Promise.all(paths.map(statusOf)), [200, 200, 200]);
  faults.failing = true;
  assert.deepEqual(await Promise.all(paths.map(statusOf)), [200, 200, 503]);
  faults.failing = false;
  operator.announceStop();
  assert.deepEqual(await Promise.all(paths.map(statusOf)), [200, 200, 503]);
});
