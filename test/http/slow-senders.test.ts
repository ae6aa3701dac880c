import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { record, transaction } from '../rig/data/transactions.ts';
import { arrivalLimits } from '../rig/http/arrival-limits.ts';
import { GIVE_UP_MS } from '../rig/run/give-up.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';

const SENDERS = 2000;
const LISTS = 20;

describe('open connections', () => {
  let app: TestApp;
  let key: string;
  let origin: string;
  before(async () => {
    app = await buildTestApp();
    key = await app.makeKey('store-1');
    await record(app.store, [transaction('store-1', 'a')]);
    origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  });
  after(() => app.server.close());

  const server = () => app.server.server as Server;
  const openConnections = () => promisify(server().getConnections.bind(server()))();
  const list = async () => {
    const response = await fetch(`${origin}/v1/transactions`, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { data: unknown[] }).data.length, 1);
  };
  const open = () => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    return socket;
  };

  test(`${SENDERS} callers that send a byte a second get 408, and others are answered meanwhile`, async (t) => {
    const limits = arrivalLimits(server());
    t.after(limits.restore);
    const statuses: number[] = [];
    const rssBefore = process.memoryUsage.rss();
    const senders: Socket[] = [];
    t.after(() => {
      for (const socket of senders) socket.destroy();
    });
    while (senders.length < SENDERS) {
      const socket = open();
      socket.write('GET /v1/transactions HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      socket.on('data', (text: string) => statuses.push(Number(text.slice(9, 12))));
      senders.push(socket);
      // Opened no faster than the listener accepts them.
      if (senders.length % 100 === 0) await new Promise((resolve) => socket.once('connect', resolve));
    }
    const dripping = setInterval(() => {
      for (const socket of senders) if (socket.writable) socket.write('x');
    }, 1000);
    t.after(() => clearInterval(dripping));
    while ((await openConnections()) < SENDERS) await delay(20);
    const listsMs: number[] = [];
    while (listsMs.length < LISTS) {
      const beganAtMs = performance.now();
      await list();
      listsMs.push(performance.now() - beganAtMs);
    }
    // Requested only now, because on a busy machine a list could also arrive too slowly.
    limits.pass();
    const beganAtMs = performance.now();
    while (statuses.length < SENDERS) {
      assert.ok(performance.now() - beganAtMs < GIVE_UP_MS, `only ${statuses.length} were answered`);
      await delay(50);
    }
    const median = listsMs.sort((left, right) => left - right)[LISTS / 2] ?? 0;
    const megabytes = (process.memoryUsage.rss() - rssBefore) / 2 ** 20;
    t.diagnostic(
      `all got 408 after ${((performance.now() - beganAtMs) / 1000).toFixed(1)} s; others waited ${median.toFixed(1)} ms (median of ${LISTS}); ` +
        `${megabytes.toFixed(0)} MB more, both ends of the connections together`,
    );
    assert.deepEqual(new Set(statuses), new Set([408]));
    for (let tries = 0; (await openConnections()) > 0; tries++) {
      assert.ok(tries * 20 < GIVE_UP_MS);
      await delay(20);
    }
  });

  test('a connection over the limit is closed at once, and the open ones are answered', async () => {
    const most = server().maxConnections;
    assert.ok(most > SENDERS, `only ${most} are accepted`);
    server().maxConnections = (await openConnections()) + 1;
    const sockets: Socket[] = [];
    try {
      const first = open();
      sockets.push(first);
      first.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      await new Promise((resolve) => first.once('data', resolve));
      const excess = open();
      sockets.push(excess);
      assert.equal(await new Promise((resolve) => excess.once('close', () => resolve('closed'))), 'closed');
      const response = new Promise<string>((resolve) => first.once('data', resolve));
      first.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
      assert.match(await response, /^HTTP\/1\.1 200 /);
    } finally {
      server().maxConnections = most;
      for (const socket of sockets) socket.destroy();
    }
  });
});
