import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { mock, test } from 'node:test';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { allClosed, listen, readUntil } from '../rig/http/connection.ts';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { testConfig } from '../rig/service/test-config.ts';
import { storeWith } from '../rig/store/store-with.ts';

const CALLERS = 20;
const BATCH_HEAD =
  'POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n';
const PUT_HEAD =
  'PUT /v1/accounts/store-1/transactions/r1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

async function operatorApp(requestTimeoutMs = testConfig.requestTimeoutMs) {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  return buildTestOperatorApp(store, testClock(), { ...testConfig, requestTimeoutMs });
}

for (const [name, bytes, status] of [
  ['headers that never end', 'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow: ', 408],
  ['a silent caller', '', 408],
  ['bytes that are not HTTP', 'nonsense\r\n\r\n', 400],
] as const) {
  test(`${status}: the connection of ${name} is destroyed soon, even if its caller keeps its side open`, async (t) => {
    const app = await buildTestApp();
    const server = app.server.server as Server;
    server.headersTimeout = 100;
    // The timeout of idle connections is off, because it would close these connections and hide a fault.
    server.timeout = 0;
    const { open, sockets } = await listen(t, app.server);
    const callers = Array.from({ length: CALLERS }, () => open());
    const responses = callers.map((caller) => readUntil(caller, /\r\n\r\n\{.*\}$/));
    for (const caller of callers) caller.write(bytes);
    for (const response of await Promise.all(responses))
      assert.match(response, new RegExp(`^HTTP/1.1 ${status} `));
    await allClosed(sockets);
    assert.equal(sockets.size, 0);
  });
}

test('400: while the service stops, the response to a refused request closes its connection', async (t) => {
  const app = await buildTestApp();
  const { open } = await listen(t, app.server);
  app.announceStop();
  const caller = open();
  caller.write('GET /livez HTTP/1.1\r\n\r\n');
  assert.match((await caller.toArray()).join(''), /^HTTP\/1\.1 400 .*\r\nconnection: close\r\n/is);
});

test('a stop closes connections without a complete request, and finishes the other requests', async (t) => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const hanging = Promise.withResolvers<void>();
  const app = await buildTestApp({ store: storeWith(store, { ping: () => hanging.promise }) });
  const { open, sockets } = await listen(t, app.server);
  const request = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
  const answered = open();
  answered.write(request);
  await readUntil(answered, /\r\n\r\n\{.*\}$/);
  answered.write('GET /livez HTTP/1.1\r\nHost');
  const unused = [answered, open(), open()];
  unused.at(-1)?.write('GET /livez HTTP/1.1\r\nHost');
  const used = open();
  used.write('GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(app.server.server, 'request');
  while (sockets.size < 4) await once(app.server.server, 'connection');
  const stopped = app.server.close();
  await Promise.all(unused.map((caller) => once(caller.resume(), 'end')));
  hanging.resolve();
  assert.match((await used.toArray()).join(''), /^HTTP\/1\.1 200 /);
  await stopped;
});

test('a connection is closed if its caller does not read the response', async (t) => {
  const app = await buildTestApp();
  const server = app.server.server as Server;
  assert.ok(server.timeout >= 60_000, 'a slow request would be given up');
  server.timeout = 300;
  const { open } = await listen(t, app.server);
  const [caller, [socket]] = [open().pause(), await once(server, 'connection')];
  caller.write('GET /guides/search.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  await once(socket, 'close');
});

test("401: a connection whose request body continues after the response is destroyed, on the operator's listener", async (t) => {
  const app = await operatorApp();
  const { open, sockets } = await listen(t, app.server);
  const callers = Array.from({ length: CALLERS }, () => open());
  const responses = callers.map((caller) => readUntil(caller, /\r\n\r\n\{.*\}$/));
  for (const [index, caller] of callers.entries()) {
    if (index % 2 === 0) caller.write(`${BATCH_HEAD}\r\n3\r\n{}\n\r\n`);
    else caller.write(`${PUT_HEAD}Content-Length: 200\r\n\r\n{`);
  }
  for (const response of await Promise.all(responses)) assert.match(response, /^HTTP\/1\.1 401 /);
  await allClosed(sockets);
});

test('401: a connection whose body is complete soon after its response is used for the next request', async (t) => {
  const app = await operatorApp();
  const { open } = await listen(t, app.server);
  const caller = open();
  caller.write(`${PUT_HEAD}Content-Length: 2\r\n\r\n{`);
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 401 /);
  caller.write('}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 200 /);
});

test('413: after a response that closes the connection, the caller can send on for a moment', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
  const app = await buildTestApp();
  const { open, sockets } = await listen(t, app.server);
  const caller = open();
  const response = caller.toArray();
  const part = ' '.repeat(2 ** 24);
  caller.write(`POST /v1/webhooks HTTP/1.1\r\nHost: x\r\nContent-Length: ${2 * part.length}\r\n\r\n`);
  assert.match((await response).join(''), /^HTTP\/1\.1 413 .*\r\nconnection: close\r\n/is);
  assert.equal((await new Promise((resolve) => caller.write(part, resolve))) ?? null, null);
  const closed = allClosed(sockets);
  mock.timers.tick(1000);
  await closed;
});

test('a body that becomes malformed during or after its response gets no second response', async (t) => {
  const app = await operatorApp();
  const { open } = await listen(t, app.server);
  for (const [authorization, answered, status] of [
    ['', /\r\n\r\n\{.*\}$/, 401],
    [`Authorization: Bearer ${app.key}\r\n`, /"line":1.*\n\r\n/, 200],
  ] as const) {
    const caller = open();
    caller.write(`${BATCH_HEAD}${authorization}\r\n3\r\n{}\n\r\n`);
    assert.match(await readUntil(caller, answered), new RegExp(`^HTTP/1\\.1 ${status} `));
    caller.write('no chunk\r\n');
    assert.equal((await caller.toArray()).join(''), '');
  }
});

test('400: malformed bytes after a request get one response, after that of the request', async (t) => {
  const { store } = await openStore(IN_MEMORY_URL, Date.now);
  const hanging = Promise.withResolvers<void>();
  const app = await buildTestApp({ store: storeWith(store, { ping: () => hanging.promise }) });
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  const { open } = await listen(t, app.server);
  const caller = open();
  caller.write('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n');
  const [socket] = await once(app.server.server, 'connection');
  for (let count = 1; count <= CALLERS; count++) {
    const isRead = new Promise<void>((resolve) => {
      const look = () => (socket.bytesRead < caller.bytesWritten ? setImmediate(look) : resolve());
      caller.write('nonsense\r\n\r\n', look);
    });
    await isRead;
  }
  hanging.resolve();
  const text = (await caller.toArray()).join('');
  assert.deepEqual(text.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 400']);
  assert.deepEqual(warnings, []);
});

test('408: a body that is incomplete after 15 s is refused, and a stream that continues is not', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.after(() => mock.timers.reset());
  const app = await operatorApp(2000);
  const { open } = await listen(t, app.server);
  const stream = open();
  const slow = open();
  const authorization = `Authorization: Bearer ${app.key}\r\n\r\n`;
  const line = '{"account":"store-1"}\n';
  const chunk = `${line.length.toString(16)}\r\n${line}\r\n`;
  stream.write(`${BATCH_HEAD}${authorization}${chunk}`);
  assert.match(await readUntil(stream, /"line":1/), /^HTTP\/1\.1 200 /);

  const begun = once(app.server.server, 'request');
  slow.write(`${PUT_HEAD}Content-Length: 200\r\n${authorization}{`);
  await begun;
  const response = readUntil(slow, /\r\n\r\n\{.*\}$/);
  const closed = once(slow, 'end');
  mock.timers.tick(14_000);
  slow.write('"');
  mock.timers.tick(2_000);
  assert.match(await response, /^HTTP\/1\.1 408 /);
  assert.match(await response, /"code":"request_timeout"/);
  await closed;

  for (let count = 2; count < 5; count++) {
    mock.timers.tick(10_000);
    stream.write(chunk);
    await readUntil(stream, new RegExp(`"line":${count}`));
  }
});
