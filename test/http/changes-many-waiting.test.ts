import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { listen, readUntil } from '../rig/http/connection.ts';
import { recordingBeside, untilWaiting } from '../rig/http/waiting-callers.ts';
import { buffersInUse, heapInUse } from '../rig/run/heap.ts';
import { buildTestApp } from '../rig/service/app.ts';

const ACCOUNTS = 10;
const CALLERS_OF_ACCOUNT = 40;
const CALLERS = ACCOUNTS * CALLERS_OF_ACCOUNT;
const MAX_BYTES = CALLERS * 64 * 2 ** 10;

test(`${CALLERS} waiting callers take less than 64 kB each and delay no other request, and a change wakes only those of its account`, async (t) => {
  const app = await buildTestApp();
  const { open, port } = await listen(t, app.server);
  const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `store-${index}`);
  const usedBefore = heapInUse() + (await buffersInUse());
  const callers = new Map<string, Socket[]>();
  for (const account of accounts) {
    const key = await app.makeKey(account);
    const sockets = Array.from({ length: CALLERS_OF_ACCOUNT }, open);
    callers.set(account, sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets)
      socket.write(`GET /v1/changes?wait=30 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  }
  await untilWaiting(app, CALLERS);
  // The callers' sockets are in this process, so this counts them too.
  const used = heapInUse() + (await buffersInUse()) - usedBefore;
  assert.ok(used < MAX_BYTES, `${used} bytes`);
  t.diagnostic(`${Math.round(used / CALLERS)} bytes for each waiting caller and its connection, both ends`);

  assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
  const woken: string[] = [];
  const responses = [...callers].flatMap(([account, sockets]) =>
    sockets.map(async (socket) => {
      const response = await readUntil(socket, /"hasMore":(true|false)\}/);
      woken.push(account);
      return response;
    }),
  );
  await record(recordingBeside(app), [pending('store-7', 'a')]);
  await untilWaiting(app, CALLERS - CALLERS_OF_ACCOUNT);
  assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
  app.announceStop();
  const texts = await Promise.all(responses);
  assert.deepEqual(woken.slice(0, CALLERS_OF_ACCOUNT), Array(CALLERS_OF_ACCOUNT).fill('store-7'));
  assert.equal(texts.filter((text) => text.includes('"headSequence":1')).length, CALLERS_OF_ACCOUNT);
  assert.equal(
    texts.filter((text) => text.includes('"headSequence":0')).length,
    CALLERS - CALLERS_OF_ACCOUNT,
  );
});
