import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exchange, type WireResponse } from '../rig/http/connection.ts';
import { buildTestApp, type TestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/service/operator-app.ts';

const HIDDEN = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n';
const CHUNK = `${HIDDEN.length.toString(16)}\r\n${HIDDEN}\r\n`;
const CHUNKED = `${CHUNK}0\r\n\r\n`;
const LENGTH = HIDDEN.length;
const NEXT = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';

const AMBIGUOUS: readonly (readonly [name: string, headers: string, body: string])[] = [
  ['a length, then chunks', `Content-Length: ${LENGTH}\r\nTransfer-Encoding: chunked`, CHUNKED],
  ['chunks, then a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5', CHUNKED],
  ['chunks, then no length', 'Transfer-Encoding: chunked\r\nContent-Length: 0', CHUNKED],
  ['two lengths that differ', `Content-Length: 0\r\nContent-Length: ${LENGTH}`, HIDDEN],
  ['a list of lengths', `Content-Length: ${LENGTH}, 0`, HIDDEN],
  ['a length in hexadecimal', `Content-Length: 0x${LENGTH.toString(16)}`, HIDDEN],
  ['an unknown transfer encoding', 'Transfer-Encoding: xchunked', CHUNKED],
  ['chunks that are not the last encoding', 'Transfer-Encoding: chunked, identity', CHUNKED],
  ['two transfer encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', CHUNKED],
  ['a transfer encoding with a vertical tab', 'Transfer-Encoding: \x0bchunked', CHUNKED],
  ['a transfer encoding with a NUL', 'Transfer-Encoding: chunked\0', CHUNKED],
  ['a transfer encoding in quotes', 'Transfer-Encoding: "chunked"', CHUNKED],
  ['a space before the colon', 'Transfer-Encoding : chunked', CHUNKED],
  ['a space before the name', 'X-A: b\r\n Transfer-Encoding: chunked', CHUNKED],
  ['a folded length', `Content-Length:\r\n ${LENGTH}`, HIDDEN],
  ['a line that ends with LF alone', 'X-A: b\nTransfer-Encoding: chunked', CHUNKED],
  ['a name that is no token', 'Transfer-Encoding\x00: chunked', CHUNKED],
  ['a chunk size with 0x', 'Transfer-Encoding: chunked', `0x${CHUNKED}`],
  ['a chunk that is longer than its size', 'Transfer-Encoding: chunked', `1\r\n${HIDDEN}\r\n0\r\n\r\n`],
  ['a length after the chunks', 'Transfer-Encoding: chunked', `${CHUNK}0\r\nContent-Length: 5\r\n\r\n`],
  ['a chunk that ends with LF alone', 'Transfer-Encoding: chunked', `${CHUNK.slice(0, -2)}\n0\r\n\r\n`],
];

const PLAIN: readonly (readonly [name: string, headers: string, body: string])[] = [
  ['a length', `Content-Length: ${LENGTH}`, HIDDEN],
  ['a length with zeros before', `Content-Length: 000${LENGTH}`, HIDDEN],
  ['chunks', 'Transfer-Encoding: chunked', CHUNKED],
  ['chunks, written otherwise', 'tRANSFER-eNCODING:   CHUNKED', CHUNKED],
  ['chunks with an extension', 'Transfer-Encoding: chunked', CHUNKED.replace('\r\n', ';a=b\r\n')],
  ['chunks with a trailer', 'Transfer-Encoding: chunked', `${CHUNK}0\r\nX-Trailer: 5\r\n\r\n`],
];

describe('a request within a request', () => {
  let app: TestApp;
  let operatorApp: TestOperatorApp;
  const ports: [listener: string, port: number][] = [];
  before(async () => {
    app = await buildTestApp();
    operatorApp = await buildTestOperatorApp(app.store, testClock());
    for (const [name, { server }] of [
      ['public', app],
      ['operator', operatorApp],
    ] as const) {
      ports.push([name, Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)]);
    }
  });
  after(async () => {
    await app.server.close();
    await operatorApp.server.close();
  });

  const each = async (
    headers: string,
    body: string,
    check: (responses: WireResponse[], sent: string) => void,
  ) => {
    for (const [listener, port] of ports) {
      for (const line of ['GET /livez', 'POST /v1/transactions', 'PUT /v1/accounts/a/transactions/b']) {
        const bytes = `${line} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}${NEXT}`;
        check(await exchange(port, bytes), `${listener}: ${JSON.stringify(bytes)}`);
      }
    }
  };

  for (const [name, headers, body] of AMBIGUOUS) {
    test(`400: ${name}; later requests on the connection are not answered`, async () => {
      await each(headers, body, (responses, sent) => {
        const [response] = responses;
        assert.equal(responses.length, 1, `${sent}: ${JSON.stringify(responses)}`);
        // The malformed part is in the body. A route that does not read the body answers as usual.
        if (headers === 'Transfer-Encoding: chunked' && response?.status !== 400) return;
        assert.equal(response?.status, 400, sent);
        assert.equal(JSON.parse(response.body).code, 'invalid_request');
      });
    });
  }

  for (const [name, headers, body] of PLAIN) {
    test(`${name}: its body is not read as a request, and the next request is answered`, async () => {
      await each(headers, body, (responses, sent) => {
        assert.equal(responses.length, 2, `${sent}: ${JSON.stringify(responses)}`);
        assert.equal(responses[1]?.status, 200);
        for (const { body: answered } of responses) assert.doesNotMatch(answered, /hidden/);
      });
    });
  }
});
