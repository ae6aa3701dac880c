import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { record, transaction } from '../rig/data/transactions.ts';
import { listen, readUntil } from '../rig/http/connection.ts';
import { buildTestApp, testClock, testConfig } from '../rig/service/app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const ACCOUNT = 'store-1';
const TOTALS = '/v1/totals';
const CSV = '/v1/transactions.csv';
const WAIT = '/v1/changes?after=1&wait=30';
const CALLERS = 10;
const TIME_LIMIT_MS = 50;
const LONG_READ = 6;

type Call = 'readStoredTotals' | 'sumListed' | 'listChanges' | 'listNumbered' | 'createExport';

async function appWithGate(t: TestContext, call: Call, nth: number) {
  const { store } = await openStore(IN_MEMORY_URL, testClock().now);
  await record(store, [transaction(ACCOUNT, 'a', { merchantReference: 'order-1' })]);
  const state = { isShut: true, calls: 0, reached: Promise.withResolvers<() => void>() };
  const gate = async () => {
    if (!state.isShut || ++state.calls !== nth) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.reached.resolve(resolve);
    await promise;
  };
  const far: Partial<Store> = {
    sumListed: async (query, after) => {
      const read = after === null ? await store.sumListed(query, null) : { totals: [], created: null };
      const nth = (after?.createdAtMs ?? 0) + 1;
      return { ...read, next: nth === LONG_READ ? null : { createdAtMs: nth, reference: 'a' } };
    },
  };
  const base = storeWith(store, call === 'sumListed' ? far : {});
  const gated = storeWith(base, {
    [call]: async (...values: unknown[]) => {
      await gate();
      return (base[call] as (...all: unknown[]) => unknown)(...values);
    },
  });
  const config = { ...testConfig, requestTimeoutMs: TIME_LIMIT_MS };
  const app = await buildTestApp({ store: gated, config });
  const { open, sockets } = await listen(t, app.server);
  const key = await app.makeKey(ACCOUNT);
  const send = (url: string) => {
    state.calls = 0;
    state.reached = Promise.withResolvers();
    const caller = open();
    caller.write(`GET ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    return caller;
  };
  return { app, key, state, send, sockets };
}

type Leave = (caller: Socket, sockets: ReadonlySet<Socket>) => Promise<unknown>;

const LEAVING: Record<string, Leave> = {
  'close the connection': (caller, sockets) => {
    // once() of node:events would throw, because a reset is an error event of the socket.
    const closed = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    caller.resetAndDestroy();
    return Promise.all(closed);
  },
  'close their side': (caller, sockets) => {
    const ended = Promise.all([...sockets].map((socket) => socket.readableEnded || once(socket, 'end')));
    caller.end();
    return ended;
  },
  'get the response of the time limit': (caller) => readUntil(caller, /HTTP\/1\.1 503/),
};

const POINTS: [url: string, call: Call, nth: number, isTimed: boolean][] = [
  [TOTALS, 'readStoredTotals', 1, true],
  [`${TOTALS}?merchantReference=order-1`, 'sumListed', 1, true],
  [`${TOTALS}?merchantReference=order-1`, 'sumListed', LONG_READ, false],
  [CSV, 'readStoredTotals', 1, true],
  [`${CSV}?merchantReference=order-1`, 'sumListed', 1, true],
  [`${CSV}?merchantReference=order-1`, 'sumListed', LONG_READ, false],
  [CSV, 'createExport', 1, true],
  [CSV, 'listNumbered', 1, false],
  [WAIT, 'listChanges', 1, true],
];

for (const [url, call, nth, isTimed] of POINTS) {
  for (const [how, leave] of Object.entries(LEAVING)) {
    if (how.includes('time limit') && !isTimed) continue;
    test(`${url}: callers that ${how} at ${call} ${nth} free their places among the long requests`, async (t) => {
      const { app, key, state, send, sockets } = await appWithGate(t, call, nth);
      for (let count = 0; count < CALLERS; count++) {
        const caller = send(url);
        const letGo = await state.reached.promise;
        await leave(caller, sockets);
        letGo();
        caller.destroy();
        while (sockets.size > 0) await nextTurn();
      }
      state.isShut = false;
      const last = url === WAIT ? '/v1/changes?after=0&wait=30' : url;
      let { status } = await app.send(last, { key });
      for (let turns = 0; status !== 200 && turns < 1000; turns++) {
        await nextTurn();
        ({ status } = await app.send(last, { key }));
      }
      assert.equal(status, 200);
      assert.equal(app.changeWatcher.waiting, 0);
    });
  }
}
