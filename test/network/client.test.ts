import assert from 'node:assert/strict';
import { connect, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { record, transaction } from '../rig/data/transactions.ts';
import { type FaultProxy, startFaultProxy } from '../rig/http/fault-proxy.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { buildTestApp, type TestApp, testClock } from '../rig/service/app.ts';
import { NETWORK_FAULTS } from './network-faults.ts';

const CALLERS = 100;
/** Requests of other callers while a fault lasts. */
const DIRECT_REQUESTS = 30;

describe('a network to callers that', () => {
  let app: TestApp;
  let key: string;
  let port: number;
  let proxy: FaultProxy;

  before(async () => {
    app = await buildTestApp({ clock: { ...testClock(), monotonicMs: () => performance.now() } });
    await record(app.store, [transaction('store-1', 'a'), transaction('store-1', 'b')]);
    key = await app.makeKey('store-1');
    port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
    proxy = await startFaultProxy(port);
  });
  after(async () => {
    await proxy.close();
    await app.server.close();
  });

  const request = () => `GET /v1/transactions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

  /** Repeats a request over one connection until the connection closes. */
  const openCaller = () => {
    const socket = connect(proxy.port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    socket.write(request());
    const answered = Promise.withResolvers<void>();
    let text = '';
    socket.on('data', (bytes: string) => {
      text += bytes;
      const headEnd = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/\r\ncontent-length: (\d+)/.exec(text)?.[1]);
      if (headEnd < 4 || text.length < headEnd + length) return;
      // A busy machine may refuse some of these requests with 503; each caller repeats its own.
      assert.match(text, /^HTTP\/1\.1 (200|503) /);
      const { data } = JSON.parse(text.slice(headEnd));
      assert.equal(data?.length, text.startsWith('HTTP/1.1 200') ? 2 : undefined);
      if (data !== undefined) answered.resolve();
      text = '';
      setTimeout(() => socket.write(request()), 20);
    });
    return { socket, answered: answered.promise };
  };

  const openConnections = () =>
    promisify((app.server.server as Server).getConnections.bind(app.server.server))();

  for (const [name, fault] of NETWORK_FAULTS) {
    test(`${name}: other callers are answered, and no connection stays open`, async (t) => {
      const callers = Array.from({ length: CALLERS }, openCaller);
      await Promise.all(callers.map(({ answered }) => answered));
      proxy.setFault(fault);
      const directMs: number[] = [];
      while (directMs.length < DIRECT_REQUESTS) {
        const beganAtMs = performance.now();
        const response = await fetch(`http://127.0.0.1:${port}/v1/transactions`, {
          headers: { authorization: `Bearer ${key}` },
        });
        assert.equal(response.status, 200);
        await response.text();
        directMs.push(performance.now() - beganAtMs);
        await delay(10);
      }
      for (const { socket } of callers) socket.destroy();
      proxy.setFault({});
      for (let tries = 0; (await openConnections()) > 2; tries++) {
        assert.ok(tries * 20 < GIVE_UP_MS, `${await openConnections()} connections stayed open`);
        await delay(20);
      }
      const median = directMs.sort((left, right) => left - right)[Math.floor(directMs.length / 2)] ?? 0;
      t.diagnostic(`with ${CALLERS} faulty callers, others waited ${median.toFixed(1)} ms (median)`);
    });
  }
});
