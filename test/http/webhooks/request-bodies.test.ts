import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { arrivalLimits } from '../../rig/http/arrival-limits.ts';
import { buildTestApp, type TestApp } from '../../rig/service/app.ts';

const WEBHOOKS = '/v1/webhooks';
const BODY = JSON.stringify({ url: 'https://shop.example/webhooks' });
const BEFORE_BODY = 'Content-Type: application/json\r\nContent-Length: 60\r\n\r\n';

describe('bodies on the public listener', () => {
  let app: TestApp;
  let key: string;
  let port: number;
  before(async () => {
    app = await buildTestApp();
    key = await app.makeKey('store-1', { scopes: ['read', 'webhooks'] });
    port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port);
  });
  after(() => app.server.close());

  const open = () => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    return socket;
  };
  const head = (line: string, headers: string) =>
    `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}`;
  /** Sends bytes unchanged, and reads until the service closes the connection. */
  const exchange = async (...parts: string[]) => {
    const socket = open();
    for (const part of parts) socket.write(part);
    return (await socket.toArray()).join('');
  };
  const statusesOf = (text: string) =>
    [...text.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => Number(status));
  const codeOf = (text: string) => /"code":"(\w+)"/.exec(text)?.[1];

  test('201: a body that is chunked, or arrives byte by byte, is read', async () => {
    const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
    const type = 'Content-Type: application/json\r\nConnection: close\r\n';
    for (const parts of [
      [head(`POST ${WEBHOOKS}`, `${type}Transfer-Encoding: chunked\r\n\r\n${chunked}`)],
      [head(`POST ${WEBHOOKS}`, `${type}Content-Length: ${BODY.length}\r\n\r\n`), ...BODY],
    ])
      assert.deepEqual(statusesOf(await exchange(...parts)), [201]);
  });

  test('413: a chunked body of more than 16 KiB is refused, and its connection is closed', async () => {
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`;
    const text = await exchange(
      head(`POST ${WEBHOOKS}`, 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'),
      chunk.repeat(5),
    );
    assert.deepEqual([statusesOf(text), codeOf(text)], [[413], 'payload_too_large']);
  });

  test('413: a length of more than 16 KiB is refused before the body, whatever the operation', async () => {
    for (const line of [
      `POST ${WEBHOOKS}`,
      `GET ${WEBHOOKS}`,
      'GET /v1/transactions',
      `DELETE ${WEBHOOKS}/x`,
    ]) {
      const text = await exchange(
        head(line, 'Content-Type: application/json\r\nContent-Length: 16385\r\n\r\n'),
      );
      assert.deepEqual([statusesOf(text), codeOf(text)], [[413], 'payload_too_large'], line);
    }
  });

  test('other operations leave their bodies unread, whatever they contain, and a GET refuses one', async () => {
    const endpoint = `${WEBHOOKS}/we_0000000000000000`;
    for (const [line, status] of [
      [`GET ${WEBHOOKS}`, 400],
      ['GET /v1/transactions', 400],
      ['POST /v1/transactions', 405],
      [`DELETE ${endpoint}`, 404],
      [`POST ${endpoint}/test`, 404],
      [`POST ${endpoint}/rotate-secret`, 404],
      [`POST ${endpoint}/failures/1/retry`, 404],
    ] as const) {
      const bytes = head(
        line,
        'Connection: close\r\nContent-Type: nonsense/x\r\nContent-Length: 8\r\n\r\n[not JSO',
      );
      assert.deepEqual(statusesOf(await exchange(bytes)), [status], line);
    }
  });

  test('401: without a valid key no body is awaited', async () => {
    const socket = open();
    socket.write(`POST ${WEBHOOKS} HTTP/1.1\r\nHost: x\r\n${BEFORE_BODY}{`);
    const [answer] = await once(socket, 'data');
    assert.deepEqual(statusesOf(answer), [401]);
    socket.destroy();
  });

  test('408: a body that never ends, and other requests are answered meanwhile', async (t) => {
    const limits = arrivalLimits(app.server.server as Server);
    t.after(limits.restore);
    const unfinished = [
      exchange(head(`POST ${WEBHOOKS}`, `${BEFORE_BODY}{"url":`)),
      exchange(head(`GET ${WEBHOOKS}`, 'Transfer-Encoding: chunked\r\n\r\n')),
    ];
    assert.equal((await app.send(WEBHOOKS, { key })).status, 200);
    limits.pass();
    for (const text of await Promise.all(unfinished)) {
      assert.deepEqual([statusesOf(text), codeOf(text)], [[408], 'request_timeout']);
      assert.match(text, /\r\nconnection: close\r\n/i);
    }
  });
});
