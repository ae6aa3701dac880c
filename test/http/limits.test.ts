import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { arrivalLimits } from '../rig/http/arrival-limits.ts';
import { exampleOf } from '../rig/http/problems.ts';
import { responseChecker } from '../rig/http/response-checker.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const checkResponse = responseChecker(new URL('../../openapi.json', import.meta.url));

describe('bytes on a socket', () => {
  let app: TestApp;
  let key: string;
  let port: number;
  before(async () => {
    app = await buildTestApp();
    key = await app.makeKey('store-1');
    port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => app.server.close());

  /** Sends bytes unchanged, and reads the one response, which must have the shape of every other. */
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(bytes);
    const text = (await socket.setEncoding('utf8').toArray()).join('');
    const [head = '', ...bodies] = text.split('\r\n\r\n');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const response = { status: Number(statusLine.split(' ')[1]), headers, body: bodies.join('\r\n\r\n') };
    // The response to a malformed request belongs to no route.
    const path = (bytes.includes('\r\n\r\n') && /^GET (\/[^? ]*)/.exec(bytes)?.[1]) || '/never-parsed';
    checkResponse({ method: 'GET', path, ...response });
    return { ...response, code: JSON.parse(response.body).code };
  };
  const request = (path: string, headers = '') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

  test('414: an address longer than 4096 characters; one of 4096 is read', async () => {
    const path = '/v1/transactions?status=';
    const sent = (length: number) => send(request(path + 'x'.repeat(length - path.length)));
    const [read, refused] = [await sent(4096), await sent(4097)];
    assert.deepEqual([read.status, read.code], [401, 'missing_api_key']);
    assert.deepEqual([refused.status, refused.code], [414, 'uri_too_long']);
  });

  test('414: an address longer than the limit of all headers', async () => {
    const { status, code } = await send(request(`/v1/transactions?status=${'x'.repeat(17_000)}`));
    assert.deepEqual([status, code], [414, 'uri_too_long']);
  });

  test('431: headers larger than the limit; the cookies of a single sign-on are within it', async () => {
    const withCookie = (length: number) =>
      send(request('/v1/transactions', `Cookie: session=${'x'.repeat(length)}\r\n`));
    assert.equal((await withCookie(15_000)).code, 'missing_api_key');
    const { status, code, body } = await withCookie(17_000);
    assert.deepEqual([status, code], [431, 'headers_too_large']);
    assert.match(body, /larger than 16384 bytes in all\..* HEADERS_MAX_BYTES/);
  });

  test('431: headers that arrive in several packets, the last one without the end of a line', async () => {
    const received = once(app.server.server, 'connection');
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    const [accepted] = await received;
    const head = `GET /v1/transactions HTTP/1.1\r\nHost: x\r\nCookie: session=${'x'.repeat(8000)}`;
    socket.write(head);
    while (accepted.bytesRead < head.length) await delay(5);
    socket.write('x'.repeat(9000));
    assert.match((await socket.toArray()).join(''), /^HTTP\/1\.1 431 /);
  });

  test('the largest headers and the time of an idle connection are settings', async (t) => {
    const keepAliveSeconds = 600;
    const other = await buildTestApp({ config: { ...testConfig, maxHeaderBytes: 40_000, keepAliveSeconds } });
    t.after(() => other.server.close());
    const url = await other.server.listen({ port: 0, host: '127.0.0.1' });
    const received = once(other.server.server, 'connection');
    const response = await fetch(`${url}/livez`, { headers: { cookie: 'x'.repeat(30_000) } });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('keep-alive'), `timeout=${keepAliveSeconds}`);
    await response.text();
    const [socket] = await received;
    // Not the time limit of a connection with a request.
    assert.ok(socket.timeout >= keepAliveSeconds * 1000, `closed after ${socket.timeout} ms`);
  });

  test('413: a body larger than any operation accepts', async () => {
    const { status, code } = await send(
      request('/v1/transactions', `Authorization: Bearer ${key}\r\nContent-Length: 20000\r\n`),
    );
    assert.deepEqual([status, code], [413, 'payload_too_large']);
  });

  for (const [name, bytes] of [
    ['garbage', 'garbage\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a name', request('/', ': x\r\n')],
    ['two lengths that differ', request('/', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
    ['a length and chunks', request('/', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n')],
    ['an unknown transfer encoding', request('/', 'Transfer-Encoding: x\r\n')],
    ['a folded header', request('/', 'X-A: b\r\n  c\r\n')],
    ['a NUL in a header', request('/', 'X-A: \0\r\n')],
    ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['an unknown method with a broken address', 'PRI /%P/1.1\r\nHost: x\r\n\r\n'],
    ['two Hosts', 'GET /v1/transactions HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['the same Host twice', 'GET /livez HTTP/1.1\r\nHost: a\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['no Host', 'GET /v1/transactions HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ] as const) {
    test(`400: ${name}`, async () => {
      const { status, code } = await send(bytes);
      assert.deepEqual([status, code], [400, 'invalid_request']);
    });
  }

  test('408: headers that never end are refused, and other requests are answered meanwhile', async (t) => {
    const limits = arrivalLimits(app.server.server as Server);
    t.after(limits.restore);
    const unfinished = send('GET /v1/transactions HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    assert.equal((await app.send('/livez')).status, 200);
    limits.pass();
    const { status, body, headers } = await unfinished;
    assert.equal(status, 408);
    assert.equal(headers['connection'], 'close');
    const { response: answer } = exampleOf('request_timeout');
    assert.deepEqual(JSON.parse(body), { ...answer, requestId: headers['request-id'] });
  });

  test('400: the body of a GET, which could have a filter, is refused after the key; an empty one is none', async () => {
    const authorization = `Authorization: Bearer ${key}\r\n`;
    for (const body of [
      'Content-Length: 13\r\n\r\n{"status":"x"',
      'Content-Type: nonsense/x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    ]) {
      const bytes = (more: string) =>
        `GET /v1/transactions HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}${body}`;
      const { status, code, body: answer } = await send(bytes(authorization));
      assert.deepEqual([status, code], [400, 'invalid_request']);
      assert.match(answer, /Send parameters in the address/);
      assert.equal((await send(bytes(''))).status, 401);
    }
    const empty = `${authorization}Content-Length: 0\r\n`;
    assert.equal((await send(request('/v1/transactions', empty))).status, 200);
  });

  test('400: a malformed request line is explained', async () => {
    for (const [line, fault] of [
      ['FOO /v1/transactions HTTP/1.1', /method of the request does not exist/],
      ['GET /v1/transactions?merchantReference=B\u00fccher HTTP/1.1', /such as %20/],
      ['GET /v1/transactions?merchantReference=a b HTTP/1.1', /such as %20/],
      ['GET /v1/transactions/%zz HTTP/1.1', /% without two hexadecimal digits/],
    ] as const) {
      const { status, body } = await send(`${line}\r\nHost: x\r\nConnection: close\r\n\r\n`);
      assert.equal(status, 400);
      assert.match(body, fault);
    }
  });

  test('200: a target in absolute form is routed like its path', async () => {
    for (const target of ['http://x/v1/transactions', 'HTTP://x:80/v1/transactions?status=pending']) {
      const { status, body } = await send(request(target, `Authorization: Bearer ${key}\r\n`));
      assert.equal(status, 200);
      assert.deepEqual(JSON.parse(body).data, []);
    }
    const { status, code } = await send(
      request('http://x/v1/transactions?status=x', `Authorization: Bearer ${key}\r\n`),
    );
    assert.deepEqual([status, code], [400, 'invalid_status']);
    assert.equal((await send(request('https://x/none'))).code, 'not_found');
    assert.equal((await send(request('ftp://x/livez'))).status, 404);
  });

  test('404: a target that begins with an asterisk is not routed like a path', async () => {
    for (const target of ['*v1/transactions', '*livez', '*', '*?status=pending']) {
      const { status, code } = await send(request(target, `Authorization: Bearer ${key}\r\n`));
      assert.deepEqual([status, code], [404, 'not_found'], target);
    }
  });

  test('an unknown Expect header is ignored', async () => {
    const { status, code } = await send(request('/nope', 'Expect: wonders\r\n'));
    assert.deepEqual([status, code], [404, 'not_found']);
  });
});
