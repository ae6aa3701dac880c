import assert from 'node:assert/strict';
import { createServer, type RequestListener, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { SenderOptions } from '../../src/webhooks/network/sender.ts';
import { type Certificate, createAuthority, trust } from '../rig/http/certificate.ts';
import { freePort } from '../rig/http/loopback.ts';
import { listen, startReceiver } from '../rig/webhooks/receiver.ts';
import { DELIVERED, testSender } from '../rig/webhooks/test-sender.ts';

const HOST = 'receiver.test';
const CREDENTIALS = `Basic ${Buffer.from('user@a:pass:word%').toString('base64')}`;
const USER = 'user%40a:pass%3Aword%25@';

const authority = createAuthority();
let distrust = () => {};
before(() => {
  distrust = trust(authority);
});
after(() => distrust());

/** Handles a CONNECT request. If null, the proxy connects to the requested port, but on this machine. */
type OnConnect = ((socket: Socket) => void) | null;

async function startProxy(onConnect: OnConnect = null, certificate?: Certificate) {
  const requests: {
    method?: string | undefined;
    url?: string | undefined;
    authorization?: string | undefined;
  }[] = [];
  const relay: RequestListener = (incoming, response) => {
    const { method, url = '', headers } = incoming;
    requests.push({ method, url, authorization: headers['proxy-authorization'] });
    if (headers['proxy-authorization'] !== CREDENTIALS) return response.writeHead(407).end();
    const { port, pathname } = new URL(url);
    const sent = request({
      host: '127.0.0.1',
      port,
      path: pathname,
      method,
      headers: { host: headers.host },
    });
    sent.once('response', ({ statusCode = 0 }) => response.writeHead(statusCode).end());
    return incoming.pipe(sent);
  };
  const server = certificate === undefined ? createServer(relay) : createTlsServer(certificate, relay);
  server.on('connect', ({ method, url = '', headers }, socket: Socket) => {
    requests.push({ method, url, authorization: headers['proxy-authorization'] });
    // After a CONNECT, node:http does not close its own side of the connection.
    socket.on('error', () => {}).once('end', () => socket.end());
    if (onConnect !== null) return onConnect(socket.resume());
    const out = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(out).pipe(socket);
    });
    return out.on('error', () => socket.destroy());
  });
  return { ...(await listen(server)), requests };
}

const answering = (text: string) => (socket: Socket) => socket.end(`HTTP/1.1 ${text}\r\n\r\n`);

const senderOf = (port: number, options: Partial<SenderOptions> = {}) =>
  testSender({ networks: [], proxy: `http://${USER}127.0.0.1:${port}`, ...options });

test('deliveries over https use CONNECT with the credentials, which the receiver does not get, and reuse their connection', async () => {
  await using receiver = await startReceiver(undefined, { certificate: authority.issue(HOST) });
  await using proxy = await startProxy();
  using sender = senderOf(proxy.port);
  for (const path of ['/a?b=c', '/d'])
    assert.deepEqual(await sender.post(`https://${HOST}:${receiver.port}${path}`), DELIVERED);
  const url = `${HOST}:${receiver.port}`;
  assert.deepEqual(proxy.requests, [{ method: 'CONNECT', url, authorization: CREDENTIALS }]);
  assert.deepEqual(
    receiver.received.map(({ path, body }) => [path, body]),
    [
      ['/a?b=c', '{}'],
      ['/d', '{}'],
    ],
  );
  assert.equal(receiver.received[0]?.headers['proxy-authorization'], undefined);
});

test('the certificate of a receiver is checked through the proxy too, and so is that of a proxy with TLS', async () => {
  await using receiver = await startReceiver(undefined, { certificate: authority.issue('other.test') });
  await using proxy = await startProxy(null, authority.issue('127.0.0.1'));
  await using stranger = await startProxy(null, createAuthority().issue('127.0.0.1'));
  const url = `https://${HOST}:${receiver.port}/`;
  const overTls = ({ port }: { port: number }) =>
    senderOf(port, { proxy: `https://${USER}127.0.0.1:${port}` });
  using known = overTls(proxy);
  using unknown = overTls(stranger);
  assert.deepEqual(await known.post(url), { error: 'the certificate is for another host' });
  assert.deepEqual(await unknown.post(url), {
    error: 'the proxy of the service could not be reached: the certificate is not trusted',
  });
  assert.deepEqual([receiver.received.length, stranger.requests.length], [0, 0]);
  await using right = await startReceiver(undefined, { certificate: authority.issue(HOST) });
  assert.deepEqual(await known.post(`https://${HOST}:${right.port}/`), DELIVERED);
});

test('deliveries over http are requests with an absolute URL, and a 407 is the refusal of the proxy', async () => {
  await using receiver = await startReceiver((_request, response) => response.writeHead(403).end());
  await using proxy = await startProxy();
  const url = `http://${HOST}:${receiver.port}/hook`;
  using sender = senderOf(proxy.port);
  assert.deepEqual(await sender.post(url), { status: 403, retryAfterMs: null });
  assert.deepEqual(proxy.requests, [{ method: 'POST', url, authorization: CREDENTIALS }]);
  assert.equal(receiver.received[0]?.headers.host, `${HOST}:${receiver.port}`);
  using anonymous = senderOf(proxy.port, { proxy: `http://127.0.0.1:${proxy.port}` });
  assert.deepEqual(await anonymous.post(url), {
    error: 'the proxy of the service answered 407: it requires another user name and password',
  });
  assert.equal(receiver.received.length, 1);
});

test('an IP address that is not public, and localhost, are refused before the proxy gets them', async () => {
  await using proxy = await startProxy();
  using sender = senderOf(proxy.port);
  for (const host of ['127.0.0.1', '169.254.169.254', '[::1]', 'localhost', '0x7f.1'])
    for (const scheme of ['https', 'http'])
      assert.match(
        JSON.stringify(await sender.post(`${scheme}://${host}:${proxy.port}/`)),
        /is not public/,
        host,
      );
  assert.equal(proxy.connections.count, 0);
});

const REFUSALS: readonly [answer: string, error: string][] = [
  [
    '407 Proxy Authentication Required',
    'the proxy of the service answered 407: it requires another user name and password',
  ],
  ['403 Forbidden', 'the proxy of the service answered 403: it does not allow this host'],
  ['502 Bad Gateway', 'the proxy of the service answered 502: it could not connect to the host'],
  ['410 Gone', 'the proxy of the service answered 410'],
  ['301 Moved\r\nLocation: https://other.test/', 'the proxy of the service answered 301'],
  ['junk', 'the proxy of the service failed: the response does not begin with HTTP/1.1 and a status'],
];

test('a refusal of the proxy is never taken for the response of the receiver, and closes the connection', async () => {
  for (const [answer, error] of REFUSALS) {
    await using proxy = await startProxy(answering(answer));
    {
      using sender = senderOf(proxy.port);
      assert.deepEqual(await sender.post(`https://${HOST}/`), { error }, answer);
    }
    while (proxy.connections.open.size > 0) await new Promise((resolve) => setImmediate(resolve));
  }
});

test('a proxy that is down, or closes the connection, is an error without its address and credentials', async () => {
  const down = senderOf(await freePort());
  assert.deepEqual(await down.post(`https://${HOST}/`), {
    error: 'the proxy of the service could not be reached: the connection was refused',
  });
  const unknown = senderOf(1, { proxy: 'http://user:hunter2@proxy.invalid:3128' });
  assert.deepEqual(await unknown.post(`http://${HOST}/`), {
    error: 'the proxy of the service could not be reached: the name of the host could not be resolved',
  });
  await using proxy = await startProxy((socket) => socket.destroy());
  using closing = senderOf(proxy.port);
  assert.deepEqual(await closing.post(`https://${HOST}/`), {
    error: 'the proxy of the service failed: the connection was closed before a response',
  });
});

test('an attempt through a proxy that hangs fails at the time limit or the signal, and the connection is closed', async () => {
  const silent = '; the proxy of the service had not connected to the host';
  const reached: (() => void)[] = [];
  await using proxy = await startProxy(() => reached.shift()?.());
  using sender = senderOf(proxy.port);
  const url = `https://${HOST}/`;
  assert.deepEqual(await sender.post(url, { timeoutMs: 50 }), {
    error: `no response within 0.05 s${silent}`,
  });
  const ending = new AbortController();
  const connected = new Promise<void>((resolve) => reached.push(resolve));
  const stopped = sender.post(url, { signal: ending.signal });
  await connected;
  ending.abort();
  assert.deepEqual(await stopped, { error: `the attempt was ended by the service${silent}` });
  while (proxy.connections.open.size > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('instances with and without a proxy have different rules, which do not contain the credentials', () => {
  const rules = [senderOf(1), senderOf(2), senderOf(1, { proxy: null })].map((one) => one.rules);
  assert.equal(rules[0], rules[1]);
  assert.notEqual(rules[0], rules[2]);
  assert.equal(rules[0], 'WEBHOOK_NETWORKS= WEBHOOK_HTTP=true WEBHOOK_PROXY=set');
});
