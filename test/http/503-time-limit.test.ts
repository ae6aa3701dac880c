import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

/** Builds an app, sends a request, and lets its time limit pass before anything is read from the disk. */
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
  test(`200: the first request for ${url}, which builds the page, has no time limit`, async () => {
    assert.equal((await sendPastLimit(buildTestApp, url)).statusCode, 200);
  });
