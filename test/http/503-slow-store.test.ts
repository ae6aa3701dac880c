import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, testClock, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const AT_ONCE = 40;

test('503 unavailable: requests that do not use the store do not hide that it is slow', async (t) => {
  let passedMs = 0;
  const clock = { ...testClock(), monotonicMs: () => passedMs };
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  let line = Promise.withResolvers<void>();
  let inLine = 0;
  const listTransactions: typeof store.listTransactions = async (query, limit) => {
    inLine++;
    await line.promise;
    return store.listTransactions(query, limit);
  };
  const app = await buildTestApp({ store: storeWith(store, { listTransactions }), clock });
  t.after(() => app.server.close());
  const authorization = `Bearer ${await app.makeKey('store-1')}`;
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const send = async (path: string, headers = {}) => {
    const response = await fetch(origin + path, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const lists = () => Array.from({ length: AT_ONCE }, () => send('/v1/transactions', { authorization }));

  const slow = lists();
  while (inLine < AT_ONCE) await delay(5);
  assert.equal(await send('/v1/none'), 404);
  assert.equal(await send('/v1/transactions/~', { authorization }), 404);
  passedMs += testConfig.requestTimeoutMs;
  line.resolve();
  assert.deepEqual(new Set(await Promise.all(slow)), new Set([200]));

  line = Promise.withResolvers();
  let refused = 0;
  const more = lists().map(async (status) => {
    if ((await status) === 503) refused++;
  });
  while (inLine + refused < 2 * AT_ONCE) await delay(5);
  line.resolve();
  await Promise.all(more);
  assert.ok(refused > 0 && refused < AT_ONCE, `${refused} of ${AT_ONCE} were refused`);
});

test('200: a caller whose slow lists take every place does not block other callers', async (t) => {
  let passedMs = 0;
  const clock = { ...testClock(), monotonicMs: () => passedMs };
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const slow: (() => void)[] = [];
  const listTransactions: typeof store.listTransactions = async (query, limit) => {
    if (query.account === 'slow') await new Promise<void>((resolve) => slow.push(resolve));
    return store.listTransactions(query, limit);
  };
  const app = await buildTestApp({ store: storeWith(store, { listTransactions }), clock });
  t.after(() => app.server.close());
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const [slowKey, otherKey] = [await app.makeKey('slow'), await app.makeKey('other')];
  const list = async (key: string) => {
    const response = await fetch(`${origin}/v1/transactions`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    return response.status;
  };
  let isSending = true;
  let refused = 0;
  const callers = Array.from({ length: AT_ONCE }, async () => {
    while (isSending) if ((await list(slowKey)) === 503) refused++;
  });
  // The responses are so late that the limit falls to its minimum.
  while (refused < AT_ONCE) {
    passedMs += testConfig.requestTimeoutMs / 2;
    slow.shift()?.();
    await delay(5);
  }
  const statuses = [];
  for (let each = 0; each < 20; each++) statuses.push(await list(otherKey));
  isSending = false;
  const releasing = setInterval(() => {
    for (const release of slow.splice(0)) release();
  }, 5);
  await Promise.all(callers);
  clearInterval(releasing);
  assert.deepEqual(new Set(statuses), new Set([200]));
});
