import assert from 'node:assert/strict';
import { test } from 'node:test';
import { record, transaction } from '../rig/data/transactions.ts';
import { exchange, listen, readUntil } from '../rig/http/connection.ts';
import { buildTestApp, metric, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const PIPELINED = 2000;
const GREEDY = 10;

test(`${PIPELINED} pipelined requests are answered in order, each for its own key, up to the first malformed one`, async (t) => {
  const app = await buildTestApp();
  const { port } = await listen(t, app.server);
  const keys = [await app.makeKey('store-1'), await app.makeKey('store-2')];
  await record(app.store, [transaction('store-1', 'a')]);
  const requests = Array.from(
    { length: PIPELINED },
    (_, index) =>
      `GET /v1/transactions/store-1.a HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys[index % 2]}\r\nRequest-Id: r${index}\r\n\r\n`,
  );
  const responses = await exchange(port, `${requests.join('')}nonsense\r\n\r\n${requests[0]}`);
  assert.deepEqual(
    responses.slice(0, PIPELINED).map(({ status, headers }) => [headers['request-id'], status]),
    requests.map((_, index) => [`r${index}`, index % 2 === 0 ? 200 : 404]),
  );
  assert.deepEqual(
    responses.slice(PIPELINED).map(({ status }) => status),
    [400],
  );
});

test('callers that pipeline without reading lose their connections, the longest queue first, and others are answered', async (t) => {
  const app = await buildTestApp();
  const { port, open, sockets } = await listen(t, app.server);
  const callers = Array.from({ length: GREEDY }, () => open().pause());
  const destroyed = new Promise<void>((resolve) => {
    app.server.server.on('connection', (socket) => socket.once('close', resolve));
  });
  for (const caller of callers)
    caller.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(PIPELINED));
  await destroyed;
  assert.ok(sockets.size > 0, 'all of them were closed');
  const response = await fetch(`http://127.0.0.1:${port}/livez`);
  assert.equal(response.status, 200);
  const closed = 'transactions_http_connections_closed_total{listener="public",reason="pipelined"}';
  assert.ok((await metric(closed)) > 0);
  const warned = app.logged.filter((line) => line.includes('"closed":{"pipelined"'));
  assert.ok(warned.length >= 1);
});

test('no pipelined request is handled after a response that closes the connection', async (t) => {
  const app = await buildTestApp();
  const { open } = await listen(t, app.server);
  app.announceStop();
  const caller = open();
  const request = (id: string) => `GET /readyz HTTP/1.1\r\nHost: x\r\nRequest-Id: ${id}\r\n\r\n`;
  caller.write(request('first') + request('second'));
  const text = (await caller.toArray()).join('');
  assert.match(text, /^HTTP\/1\.1 503 .*\r\nconnection: close\r\n/is);
  await app.server.close();
  assert.match(app.logged.join(''), /"requestId":"first"/);
  assert.doesNotMatch(app.logged.join(''), /"requestId":"second"/);
});

test('a pipelined request with Expect: 100-continue gets its 100 after the responses before it', async (t) => {
  const { store } = await buildTestApp();
  const app = await buildTestOperatorApp(store, testClock());
  const { open } = await listen(t, app.server);
  const caller = open();
  const body = JSON.stringify({ label: 'a' });
  const headers = `Host: x\r\nAuthorization: Bearer ${app.key}\r\n`;
  caller.write(
    `GET /v1/accounts/store-1/keys HTTP/1.1\r\n${headers}\r\n` +
      `POST /v1/accounts/store-1/keys HTTP/1.1\r\n${headers}Expect: 100-continue\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const text = await readUntil(caller, /HTTP\/1\.1 100 Continue\r\n\r\n$/);
  assert.match(text, /^HTTP\/1\.1 200 /);
  caller.write(body);
  assert.match(await readUntil(caller, /\r\n\r\n\{.*\}$/), /^HTTP\/1\.1 201 /);
});
