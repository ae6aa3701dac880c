import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/app.ts';
import { storeWith } from '../rig/store-with.ts';

mock.timers.enable({ apis: ['setInterval'] });

/** Asks, and lets the time of a request pass before anything is read from a disk. */
async function askLate(app: TestApp, url: string) {
  const answer = app.server.inject(url);
  await nextTurn();
  mock.timers.tick(2 * testConfig.requestTimeoutMs);
  return answer;
}

test('503 unavailable: a request that is not answered in time is not said to have failed in the database', async () => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const app = await buildTestApp({ store: storeWith(store, { ping: () => new Promise(() => {}) }) });
  const answer = await askLate(app, '/readyz');
  assert.equal(answer.statusCode, 503);
  assert.equal(answer.headers['retry-after'], '1');
  assert.equal(answer.json().detail, 'The request was not answered in time. Try again in 1 s.');
});

for (const url of ['/', '/docs'])
  test(`200: the first request for ${url}, which makes what it answers, has the time it takes`, async () => {
    assert.equal((await askLate(await buildTestApp(), url)).statusCode, 200);
  });
