import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, testClock, testConfig } from '../rig/app.ts';

const AT_ONCE = 40;

test('503 unavailable: a busy store is noticed, whoever asks meanwhile for what no store is asked for', async (t) => {
  let passedMs = 0;
  const clock = { ...testClock(), monotonicMs: () => passedMs };
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  let line = Promise.withResolvers<void>();
  let inLine = 0;
  const listTransactions: typeof store.listTransactions = async (question, limit) => {
    inLine++;
    await line.promise;
    return store.listTransactions(question, limit);
  };
  const app = await buildTestApp({ store: { ...store, listTransactions }, clock });
  t.after(() => app.server.close());
  const authorization = `Bearer ${await app.makeKey('store-1')}`;
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const ask = async (path: string, headers = {}) => {
    const answer = await fetch(origin + path, { headers });
    await answer.arrayBuffer();
    return answer.status;
  };
  const lists = () => Array.from({ length: AT_ONCE }, () => ask('/v1/transactions', { authorization }));

  const slow = lists();
  while (inLine < AT_ONCE) await delay(5);
  assert.equal(await ask('/v1/none'), 404);
  assert.equal(await ask('/v1/transactions/~', { authorization }), 404);
  passedMs += testConfig.requestTimeoutMs;
  line.resolve();
  assert.deepEqual(new Set(await Promise.all(slow)), new Set([200]));

  line = Promise.withResolvers();
  let refused = 0;
  const more = lists().map(async (answer) => {
    if ((await answer) === 503) refused++;
  });
  while (inLine + refused < 2 * AT_ONCE) await delay(5);
  line.resolve();
  await Promise.all(more);
  assert.ok(refused > 0 && refused < AT_ONCE, `${refused} of ${AT_ONCE} were refused`);
});
