import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { PENDING } from '../rig/http/request-bodies.ts';
import { responseChecker } from '../rig/http/response-checker.ts';
import { buildTestApp, type TestApp, testClock, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const checkResponse = responseChecker(new URL('../../openapi.json', import.meta.url));

/** The test's clock moves only while the store reads a list, so that a busy machine changes nothing. */
const ANSWER_MS = 400;
/** Long, because the server measures the end of a request with a real timer. */
const REQUEST_TIMEOUT_MS = 60_000;
const TIMES_CAPACITY = 5;
/** The limit settles within half of them. */
const ANSWERS = 240;

describe('503 unavailable: more requests than the store can answer', () => {
  const clock = testClock();
  const line: (() => void)[] = [];
  let app: TestApp;
  let operatorApp: TestOperatorApp;
  let key: string;
  let origin: string;
  const seen = { sent: 0, entered: 0, good: 0, refused: 0 };

  /** A store that reads lists one after another, each when the test releases it. */
  const busyStore = (store: Store): Store =>
    storeWith(store, {
      listTransactions: async (query, limit) => {
        seen.entered++;
        await new Promise<void>((resolve) => line.push(resolve));
        return store.listTransactions(query, limit);
      },
    });

  before(async () => {
    const { store } = await openStore(IN_MEMORY_URL, clock.now);
    await record(store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
    const config = { ...testConfig, requestTimeoutMs: REQUEST_TIMEOUT_MS };
    app = await buildTestApp({ store: busyStore(store), clock, config });
    operatorApp = await buildTestOperatorApp(store, clock, testConfig);
    key = await app.makeKey('store-1');
    origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.server.close());

  const until = async (isSo: () => boolean) => {
    while (!isSo()) await nextTurn();
  };
  /** Sends `count` lists, and waits until each is queued for the store or refused. */
  const send = async (count: number) => {
    for (let each = 0; each < count; each++) void list();
    seen.sent += count;
    await until(() => seen.entered + seen.refused === seen.sent);
  };
  const list = async () => {
    const sentAtMs = clock.monotonicMs();
    const response = await fetch(`${origin}/v1/transactions`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = await response.text();
    const { status, headers } = response;
    checkResponse({
      method: 'GET',
      path: '/v1/transactions',
      status,
      headers: Object.fromEntries(headers),
      body,
    });
    const tookMs = clock.monotonicMs() - sentAtMs;
    if (status === 200) {
      assert.equal(JSON.parse(body).data.length, 2);
      assert.ok(tookMs <= REQUEST_TIMEOUT_MS, `answered after ${tookMs} ms`);
      seen.good++;
    } else {
      assert.deepEqual(
        [status, JSON.parse(body).code, headers.get('retry-after')],
        [503, 'unavailable', '1'],
      );
      assert.equal(tookMs, 0, 'refused only after the store had answered another');
      seen.refused++;
    }
  };
  const answerNext = async () => {
    clock.advance(ANSWER_MS);
    const good = seen.good + 1;
    line.shift()?.();
    await until(() => seen.good === good);
  };

  test(`${TIMES_CAPACITY} times the capacity: the store is always busy, answers every admitted list, and the excess is refused at once`, async () => {
    for (let count = 1; count <= ANSWERS; count++) {
      await send(TIMES_CAPACITY);
      assert.ok(line.length > 0, 'the store has nothing to answer');
      await answerNext();
      if (count % 10 > 0) continue;
      assert.equal((await fetch(`${origin}/livez`)).status, 200);
      const recorded = await operatorApp.send(`/v1/accounts/store-2/transactions/r${count}`, {
        method: 'PUT',
        body: PENDING,
      });
      assert.equal(recorded.status, 201);
    }
    // At most the lists of a tenth of the request timeout are queued, or the minimum of the limit.
    assert.ok(line.length <= 20, `${line.length} are queued`);
    const [logged = ''] = app.logged.filter((one) => one.includes('overloaded'));
    assert.match(logged, /"refused":\d/);
  });

  test('soon after the overload, every list is answered', async () => {
    while (line.length > 0) await answerNext();
    for (let round = 1; ; round++) {
      assert.ok(round <= 20, 'requests are refused that the store could answer');
      const { refused } = seen;
      await send(100);
      clock.advance(REQUEST_TIMEOUT_MS / 20);
      for (const release of line.splice(0)) release();
      await until(() => seen.good + seen.refused === seen.sent);
      if (seen.refused === refused) break;
    }
  });
});

for (const listener of ['public', 'operator'] as const)
  test(`503 unavailable: more requests to the ${listener} listener wait than one iteration of the event loop answers`, async (t) => {
    // Each reading of the clock takes 2 ms, so that 100 requests exceed the limit of an iteration.
    let nowMs = 0;
    const clock = { ...testClock(), monotonicMs: () => (nowMs += 2) };
    const publicApp = await buildTestApp({ clock });
    const operatorApp = await buildTestOperatorApp(publicApp.store, clock);
    const { server } = listener === 'public' ? publicApp : operatorApp;
    const key = listener === 'public' ? await publicApp.makeKey('store-1') : operatorApp.key;
    const path = listener === 'public' ? '/v1/transactions' : '/v1/accounts/store-1/transactions';
    t.after(() => server.close());
    const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
    const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1').setEncoding('latin1'));
    const request = (path: string) =>
      Promise.all(
        sockets.map(async (socket) => {
          socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
          return String(await once(socket, 'data')).slice(9, 12);
        }),
      );
    // All connections are accepted now, and their next requests arrive in one iteration.
    await request('/livez');
    const responses = await request(path);
    for (const socket of sockets) socket.destroy();
    const good = responses.filter((status) => status === '200').length;
    assert.equal(responses.filter((status) => status === '503').length, 100 - good);
    assert.ok(good >= 64 && good < 100, `${good} of 100 were answered`);
  });

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
