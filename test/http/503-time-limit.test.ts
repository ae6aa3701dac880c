import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { listen, readUntil } from '../rig/http/connection.ts';
import { PAID } from '../rig/http/request-bodies.ts';
import { buildTestApp, impatientConfig, type TestApp, testClock, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

async function sendPastLimit(build: () => Promise<TestApp>, url: string) {
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const app = await build();
    const response = app.server.inject(url);
    await nextTurn();
    mock.timers.tick(2 * testConfig.requestTimeoutMs);
    return await response;
  } finally {
    mock.timers.reset();
  }
}

test('503 unavailable: the detail of a request over its time limit does not blame the database', async () => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const build = () => buildTestApp({ store: storeWith(store, { ping: () => new Promise(() => {}) }) });
  const response = await sendPastLimit(build, '/readyz');
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers['retry-after'], '1');
  assert.equal(response.json().detail, 'The request was not answered in time. Try again in 1 s.');
});

for (const url of ['/', '/docs'])
  test(`200: the first request for ${url}, which builds the page, is not ended by the time limit`, async () => {
    assert.equal((await sendPastLimit(buildTestApp, url)).statusCode, 200);
  });

test('503 unavailable: the time limit of a request starts when its body has arrived', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const asked = Promise.withResolvers<void>();
  const hanging = storeWith(store, {
    record: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const { server, key } = await buildTestOperatorApp(hanging, testClock(), impatientConfig);
  const caller = (await listen(t, server)).open();
  let received = '';
  caller.on('data', (text: string) => {
    received += text;
  });
  const begun = once(server.server, 'request');
  const body = JSON.stringify(PAID);
  caller.write(
    `PUT /v1/accounts/store-1/transactions/r1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  await begun;
  t.mock.timers.tick(3 * impatientConfig.requestTimeoutMs);
  caller.write(body.slice(10));
  await asked.promise;
  t.mock.timers.tick(impatientConfig.requestTimeoutMs);
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  assert.equal(received, '');
  t.mock.timers.tick(impatientConfig.requestTimeoutMs / 4);
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 503 /);
});
