import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import pino from 'pino';
import type { App } from '../../src/service/app.ts';
import { startListener } from '../../src/service/listener.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { readUntil } from '../rig/http/connection.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ADDRESS = { host: '127.0.0.1', port: 0, settings: ['HOST', 'PORT'] } as const;

test('a query for key ends that never returns blocks neither the start nor the next query', async () => {
  const app = await buildTestApp();
  const logged: string[] = [];
  const logger = pino({}, { write: (line) => logged.push(JSON.parse(line).msg) });
  const refreshedAgain = Promise.withResolvers<void>();
  let refreshes = 0;
  app.keyCache.refresh = async () => {
    if (++refreshes === 1) await new Promise(() => {});
    refreshedAgain.resolve();
  };
  const listener = await startListener(app, ADDRESS, app.store, logger);
  await refreshedAgain.promise;
  await listener.stop();
  assert.deepEqual(logged, ['could not read which keys were revoked or rolled']);
});

const REQUEST = 'GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n';
const RESPONSE = /\r\n\r\n\{.*\}$/;

async function listening(t: TestContext, app: App & { store: Store }) {
  const listener = await startListener(app, ADDRESS, app.store, pino({ enabled: false }));
  const caller = connect({ port: Number(new URL(listener.url).port), host: '127.0.0.1' }).setEncoding('utf8');
  t.after(() => caller.destroy());
  await once(caller, 'connect');
  return { listener, caller };
}

test('a request that arrives during the stop is answered, even if the process stalls', async (t) => {
  const { listener, caller } = await listening(t, await buildTestApp());
  const stopped = listener.stop();
  await delay(100);
  caller.write(REQUEST);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  const response = await readUntil(caller, RESPONSE);
  assert.match(response, /^HTTP\/1\.1 503 .*service is stopping/s);
  assert.match(response, /\r\nconnection: close\r\n/i);
  await stopped;
});

test('the stop ends after a request that began before it, even if the caller keeps the connection', async (t) => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const hanging = Promise.withResolvers<void>();
  const app = await buildTestApp({ store: storeWith(store, { ping: () => hanging.promise }) });
  const { listener, caller } = await listening(t, app);
  const begun = once(app.server.server, 'request');
  caller.write(REQUEST);
  await begun;
  const stopped = listener.stop();
  await delay(1500);
  hanging.resolve();
  assert.match(await readUntil(caller, RESPONSE), /^HTTP\/1\.1 200 /);
  const tooLong = delay(testConfig.keepAliveSeconds * 500, 'stop waits for the connection', { ref: false });
  assert.equal(await Promise.race([stopped, tooLong]), undefined);
});
