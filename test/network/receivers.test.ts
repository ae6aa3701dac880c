import assert from 'node:assert/strict';
import { pipeline, Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { until } from '../rig/run/give-up.ts';
import { startRawReceiver, startReceiver } from '../rig/webhooks/receiver.ts';
import { testSender } from '../rig/webhooks/test-sender.ts';

const NO_STATUS = 'the response does not begin with HTTP/1.1 and a status';
const CLOSED = 'the connection was closed before a response';

describe('an attempt', () => {
  const { post: send, close } = testSender({ now: () => Date.UTC(2026, 0, 1) });
  after(close);

  test('sends the headers and the body, in UTF-8, to the path and query of the URL', async () => {
    await using receiver = await startReceiver();
    const headers = { 'content-type': 'application/json', 'webhook-id': 'msg_1' };
    const body = JSON.stringify({ text: 'Grüße €' });
    const result = await send(`${receiver.url}/hooks/a%20b?token=c&d=é`, { headers, body });
    assert.deepEqual(result, { status: 204, retryAfterMs: null });
    const [received] = receiver.received;
    assert.equal(received?.path, '/hooks/a%20b?token=c&d=%C3%A9');
    assert.equal(received?.body, body);
    assert.equal(received?.headers['content-length'], String(Buffer.byteLength(body)));
    assert.equal(received?.headers['webhook-id'], 'msg_1');
    assert.equal(received?.headers['host'], `127.0.0.1:${receiver.port}`);
  });

  test('returns the status of the response, even of redirects and errors, with Retry-After', async () => {
    let status = 200;
    let retryAfter = '';
    await using receiver = await startReceiver((_request, response) => {
      response.writeHead(status, { 'retry-after': retryAfter, location: 'http://127.0.0.2/' }).end('body');
    });
    for (const [expected, header, retryAfterMs] of [
      [200, '', null],
      [299, '3', 3000],
      [301, '0', 0],
      [308, 'soon', null],
      [410, '10', 10_000],
      [429, 'Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
      [503, 'Thu, 01 Jan 2025 00:01:00 GMT', 0],
    ] as const) {
      [status, retryAfter] = [expected, header];
      assert.deepEqual(await send(receiver.url), { status: expected, retryAfterMs });
    }
    assert.equal(receiver.received.length, 7);
  });

  test('reuses one connection for successive attempts', async () => {
    await using receiver = await startReceiver((_request, response) => response.end('thanks'));
    for (let count = 0; count < 30; count++) assert.ok('status' in (await send(receiver.url)));
    assert.equal(receiver.connections.count, 1);
  });

  test('leaves at most 8 idle connections to a receiver after 40 concurrent attempts', async () => {
    const waiting: (() => void)[] = [];
    await using receiver = await startReceiver(
      (_request, response) => void waiting.push(() => response.end()),
    );
    const results = Array.from({ length: 40 }, () => send(receiver.url));
    await until(() => waiting.length === 40);
    for (const answer of waiting) answer();
    for (const result of await Promise.all(results))
      assert.deepEqual(result, { status: 200, retryAfterMs: null });
    await until(() => receiver.connections.open.size <= 8);
    assert.ok(receiver.connections.open.size > 0);
  });

  test('is made again on a new connection if the receiver closed the idle one at that moment', async () => {
    let requests = 0;
    await using receiver = await startRawReceiver((socket) => {
      if (receiver.connections.count === ++requests) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      else {
        requests--;
        socket.destroy();
      }
    });
    for (let count = 1; count <= 5; count++) {
      assert.deepEqual(await send(receiver.url), { status: 204, retryAfterMs: null });
      assert.equal(receiver.connections.count, count);
    }
  });

  test('fails if the receiver closes or resets a new connection, and is not repeated', async () => {
    for (const end of ['destroy', 'end', 'resetAndDestroy'] as const) {
      await using receiver = await startRawReceiver((socket) => void socket[end]());
      assert.deepEqual(await send(receiver.url), { error: CLOSED }, end);
      assert.equal(receiver.connections.count, 1);
    }
  });

  test('fails if nothing listens, and the error does not have the address', async () => {
    await using receiver = await startReceiver();
    await receiver.close();
    assert.deepEqual(await send(receiver.url), { error: 'the connection was refused' });
  });

  test('fails at its time limit if the receiver never answers, and the connection is closed', async () => {
    await using receiver = await startReceiver(() => {});
    const startedAtMs = performance.now();
    const result = await send(receiver.url, { timeoutMs: 200 });
    assert.ok(performance.now() - startedAtMs >= 199);
    assert.deepEqual(result, { error: 'no response within 0.2 s' });
    await until(() => receiver.connections.open.size === 0);
  });

  test('fails at its time limit if the head arrives byte by byte, or informational responses never end', async () => {
    for (const pieces of [Array(10_000).fill('x'), Array(10_000).fill('HTTP/1.1 102 Processing\r\n\r\n')]) {
      await using receiver = await startRawReceiver(async (socket) => {
        if (pieces[0] === 'x') socket.write('HTTP/1.1 200 OK\r\nslow: ');
        for (const piece of pieces) {
          if (socket.destroyed) return;
          socket.write(piece);
          await nextTurn();
        }
      });
      assert.deepEqual(await send(receiver.url, { timeoutMs: 100 }), { error: 'no response within 0.1 s' });
    }
  });

  test('is ended by its signal: before it begins, and while it waits for the response', async () => {
    await using receiver = await startReceiver(() => {});
    const stopped = { error: 'the attempt was ended by the service' };
    assert.deepEqual(await send(receiver.url, { signal: AbortSignal.abort() }), stopped);
    assert.equal(receiver.connections.count, 0);
    const ending = new AbortController();
    const result = send(receiver.url, { signal: ending.signal });
    await until(() => receiver.received.length === 1);
    ending.abort();
    assert.deepEqual(await result, stopped);
    await until(() => receiver.connections.open.size === 0);
  });

  test('reads little of an endless body, and returns the status', async () => {
    let written = 0;
    function* endless() {
      for (;;) {
        written += 1024;
        yield Buffer.alloc(1024);
      }
    }
    await using receiver = await startReceiver((_request, response) => {
      pipeline(Readable.from(endless()), response.writeHead(200), () => {});
    });
    assert.deepEqual(await send(receiver.url), { status: 200, retryAfterMs: null });
    await until(() => receiver.connections.open.size === 0);
    assert.ok(written < 2 ** 25, `${written} bytes`);
  });

  test('returns the status, whatever the receiver says about its body', async () => {
    for (const rest of [
      'content-length: 100\r\n\r\nshort',
      'content-length: 2\r\n\r\nlonger than that',
      'transfer-encoding: chunked\r\n\r\nnot a chunk\r\n',
      'content-encoding: gzip\r\ncontent-length: 4\r\n\r\nnone',
      'connection: close\r\n\r\n',
    ]) {
      await using receiver = await startRawReceiver(
        (socket) => void socket.end(`HTTP/1.1 201 Created\r\n${rest}`),
      );
      assert.deepEqual(await send(receiver.url), { status: 201, retryAfterMs: null }, rest);
      await until(() => receiver.connections.open.size === 0);
    }
  });

  test('does not take a second response on a connection for that of the next attempt', async () => {
    await using receiver = await startRawReceiver((socket) => {
      const isFirst = receiver.connections.count === 1;
      const lie = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
      socket.write(
        isFirst
          ? `HTTP/1.1 503 Unavailable\r\ncontent-length: 0\r\n\r\n${lie}`
          : 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
      );
    });
    assert.deepEqual(await send(receiver.url), { status: 503, retryAfterMs: null });
    assert.deepEqual(await send(receiver.url), { status: 500, retryAfterMs: null });
  });

  test('returns the status of a response that is malformed after its first line, and closes the connection', async () => {
    for (const [name, response] of [
      ['lines that end with LF alone', 'HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
      ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n'],
      ['the same length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\nok'],
      ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'],
      ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n'],
      ['a space before a colon', 'HTTP/1.1 200 OK\r\nserver : x\r\n\r\n'],
      ['a line without a colon', 'HTTP/1.1 200 OK\r\nserver\r\ncontent-length: 0\r\n\r\n'],
      ['a control character', 'HTTP/1.1 200 OK\r\nserver: \x01\r\n\r\n'],
      ['bytes after the body', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok, thanks'],
      ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nserver : x\r\n\r\n'],
    ] as const) {
      await using receiver = await startRawReceiver((socket) => {
        socket.write(response.slice(0, 8));
        setImmediate(() => socket.write(response.slice(8)));
      });
      for (let count = 0; count < 2; count++)
        assert.deepEqual(await send(receiver.url), { status: 200, retryAfterMs: null }, name);
    }
  });

  test('does not return the status of an interim response if the next response is malformed', async () => {
    await using receiver = await startRawReceiver(
      (socket) => void socket.write('HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nserver : x\r\n\r\n'),
    );
    assert.deepEqual(await send(receiver.url), { error: NO_STATUS });
  });

  test('fails if the response is not HTTP, or its head is too large', async () => {
    const tooLarge = `HTTP/1.1 200 OK\r\nlarge: ${'x'.repeat(20_000)}\r\n\r\n`;
    for (const [response, error] of [
      ['SSH-2.0-OpenSSH_9.6\r\n', NO_STATUS],
      ['220 mail.example ESMTP\r\n', NO_STATUS],
      ['HTTP/9.9 200 OK\r\n\r\n', NO_STATUS],
      ['<html>', NO_STATUS],
      [tooLarge, 'the head of the response is too large'],
    ] as const) {
      await using receiver = await startRawReceiver((socket) => void socket.write(response));
      assert.deepEqual(await send(receiver.url), { error }, response.slice(0, 20));
      await until(() => receiver.connections.open.size === 0);
    }
  });

  test('closing the sender closes its connections', async () => {
    const own = testSender();
    await using receiver = await startReceiver();
    await own.post(receiver.url);
    assert.equal(receiver.connections.open.size, 1);
    own.close();
    await until(() => receiver.connections.open.size === 0);
  });
});
