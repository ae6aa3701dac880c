import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { exchange } from '../rig/http/connection.ts';
import { responseChecker } from '../rig/http/response-checker.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';

const checkResponse = responseChecker(new URL('../../openapi.json', import.meta.url));
const LIST = '/v1/transactions';
const WEBHOOKS = '/v1/webhooks';
const ENDPOINT = `${WEBHOOKS}/we_0000000000000000`;
const BODY = JSON.stringify({ url: 'https://shop.example/webhooks' });
const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const request = (line: string, headers = '', body = '') =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`;
const query = (length: number) => `${LIST}?status=${'x'.repeat(length - LIST.length - '?status='.length)}`;
const withLength = (length: number) => `Content-Length: ${length}\r\n`;

const WITHOUT_KEY: readonly (readonly [name: string, bytes: string, expected: string, detail?: RegExp])[] = [
  ['a target of 4096 characters', request(`GET ${query(4096)}`), '401 missing_api_key'],
  ['a longer one', request(`GET ${query(4097)}`), '414 uri_too_long'],
  ['one that is longer than all headers', request(`GET ${query(17_000)}`), '414 uri_too_long'],
  [
    'the cookies of a sign-on',
    request(`GET ${LIST}`, `Cookie: a=${'x'.repeat(15_000)}\r\n`),
    '401 missing_api_key',
  ],
  [
    'larger headers',
    request(`GET ${LIST}`, `Cookie: a=${'x'.repeat(17_000)}\r\n`),
    '431 headers_too_large',
    /larger than 16384 bytes in all\..* HEADERS_MAX_BYTES/,
  ],
  ['garbage', 'garbage\r\n\r\n', '400 invalid_request'],
  ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', '400 invalid_request'],
  ['a NUL in a header', request('GET /', 'X-A: \0\r\n'), '400 invalid_request'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400 invalid_request'],
  ['an unknown method with a broken address', 'PRI /%P/1.1\r\nHost: x\r\n\r\n', '400 invalid_request'],
  ['two Hosts', request(`GET ${LIST}`, 'Host: b\r\n'), '400 invalid_request'],
  ['the same Host twice', request('GET /livez', 'Host: x\r\n'), '400 invalid_request'],
  ['no Host', `GET ${LIST} HTTP/1.1\r\nConnection: close\r\n\r\n`, '400 invalid_request'],
  [
    'an unknown method',
    request(`FOO ${LIST}`),
    '400 invalid_request',
    /method of the request does not exist/,
  ],
  ['a tunnel', request('CONNECT x:443'), '400 invalid_request', /service is no proxy/],
  ['a letter', request(`GET ${LIST}?merchantReference=B\u00fccher`), '400 invalid_request', /such as %20/],
  ['a space', request(`GET ${LIST}?merchantReference=a b`), '400 invalid_request', /such as %20/],
  ['an escape', request(`GET ${LIST}/%zz`), '400 invalid_request', /% without two hexadecimal digits/],
  ['an unknown Expect', request('GET /nope', 'Expect: wonders\r\n'), '404 not_found'],
  ['another scheme', request('GET ftp://x/livez'), '404 not_found'],
  ['a target in absolute form that does not exist', request('GET https://x/none'), '404 not_found'],
  ['a body without a key', request(`GET ${LIST}`, withLength(3), 'a=b'), '401 missing_api_key'],
  [
    'an unfinished body without a key',
    request(`POST ${WEBHOOKS}`, `${JSON_TYPE}${withLength(60)}`, '{'),
    '401 missing_api_key',
  ],
];

const WITH_KEY: readonly (readonly [
  line: string,
  headers: string,
  body: string,
  expected: string,
  detail?: RegExp,
])[] = [
  [`GET ${LIST}`, withLength(20_000), '', '413 payload_too_large'],
  ...[`POST ${WEBHOOKS}`, `GET ${WEBHOOKS}`, `DELETE ${WEBHOOKS}/x`].map(
    (line) => [line, JSON_TYPE + withLength(16_385), '', '413 payload_too_large'] as const,
  ),
  [
    `POST ${WEBHOOKS}`,
    JSON_TYPE + CHUNKED,
    `1000\r\n${' '.repeat(4096)}\r\n`.repeat(5),
    '413 payload_too_large',
  ],
  [`POST ${WEBHOOKS}`, JSON_TYPE + CHUNKED, `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`, '201'],
  [`POST ${WEBHOOKS}`, JSON_TYPE + withLength(BODY.length), BODY, '201'],
  [`GET ${LIST}`, withLength(3), 'a=b', '400 invalid_request', /Send parameters in the address/],
  [`GET ${LIST}`, CHUNKED, '1\r\nx\r\n0\r\n\r\n', '400 invalid_request', /Send parameters in the address/],
  [`GET ${LIST}`, withLength(0), '', '200'],
  ...(
    [
      [`POST ${LIST}`, '405 method_not_allowed'],
      [`DELETE ${ENDPOINT}`, '404 not_found'],
      [`POST ${ENDPOINT}/test`, '404 not_found'],
      [`POST ${ENDPOINT}/rotate-secret`, '404 not_found'],
      [`POST ${ENDPOINT}/failures/1/retry`, '404 not_found'],
    ] as const
  ).map(
    ([line, expected]) =>
      [line, `Content-Type: nonsense/x\r\n${withLength(8)}`, '[not JSO', expected] as const,
  ),
  [`POST ${LIST}`, `Content-Type: nonsense\r\n${withLength(1)}`, 'x', '405 method_not_allowed'],
  [`QUERY ${LIST}`, '', '', '405 method_not_allowed'],
  ['QUERY /none', '', '', '404 not_found'],
  ['GET http://x/v1/transactions', '', '', '200'],
  ['GET HTTP://x:80/v1/transactions?status=pending', '', '', '200'],
  ['GET http://x/v1/transactions?status=x', '', '', '400 invalid_status'],
  ...['*v1/transactions', '*livez', '*', '*?status=pending'].map(
    (target) => [`GET ${target}`, '', '', '404 not_found'] as const,
  ),
  ['OPTIONS *', '', '', '404 not_found', /\/\*\\"\. The reference/],
  [
    `GET ${LIST}`,
    'Authorization: Bearer other\r\n',
    '',
    '401 invalid_api_key',
    /more than one Authorization header/,
  ],
];

describe('bytes on a socket', () => {
  let app: TestApp;
  let key: string;
  let port: number;
  before(async () => {
    app = await buildTestApp();
    key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
    port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => app.server.close());

  const send = async (...parts: string[]) => {
    const [response, ...more] = await exchange(port, parts, false);
    assert.ok(response !== undefined && more.length === 0, parts[0]?.slice(0, 100));
    const path =
      (/\r\n\r\n/.test(parts.join('')) && /^GET (\/[^? ]*)/.exec(parts[0] ?? '')?.[1]) || '/never-parsed';
    if (response.code !== undefined) checkResponse({ method: 'GET', path, ...response });
    return { ...response, answer: [response.status, response.code].join(' ').trim() };
  };

  for (const [name, bytes, expected, detail] of WITHOUT_KEY)
    test(`${expected}: ${name}`, async () => {
      const { answer, body } = await send(bytes);
      assert.equal(answer, expected);
      if (detail !== undefined) assert.match(body, detail);
    });

  for (const [line, headers, content, expected, detail] of WITH_KEY)
    test(`${expected}: ${line} with ${JSON.stringify(headers)}`, async () => {
      const { answer, body } = await send(
        request(line, `Authorization: Bearer ${key}\r\n${headers}`, content),
      );
      assert.equal(answer, expected);
      if (detail !== undefined) assert.match(body, detail);
    });

  test('201: a body that arrives byte by byte is read', async () => {
    const headers = `Authorization: Bearer ${key}\r\n${JSON_TYPE}${withLength(BODY.length)}`;
    assert.equal((await send(request(`POST ${WEBHOOKS}`, headers), ...BODY)).status, 201);
  });

  test('431: too long headers that arrive in several packets, the last one without a line end', async () => {
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

  test('the maximum size of headers and the time limit of an idle connection are settings', async (t) => {
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
    assert.ok(socket.timeout >= keepAliveSeconds * 1000, `closed after ${socket.timeout} ms`);
  });
});
