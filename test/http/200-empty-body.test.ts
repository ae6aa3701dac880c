import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { SCOPES } from '../../src/values/scopes.ts';
import { buildTestApp, type TestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../rig/service/operator-app.ts';

/*
 * A proxy passes on an HTTP/2 request that an empty frame ends as chunks without a byte, and clients write the headers of a body that they do
 * not have.
 */

const EMPTY_BODIES: readonly (readonly [name: string, headers: string, body: string])[] = [
  ['chunks without a byte', 'Transfer-Encoding: chunked\r\n', '0\r\n\r\n'],
  ['the type of a body', 'Content-Type: application/json\r\n', ''],
  [
    'the type of a body and chunks without a byte',
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
    '0\r\n\r\n',
  ],
  [
    'the type of a form and no length',
    'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n',
    '',
  ],
];

/** An account, key, endpoint or transaction that does not exist: a second request finds what the first one found. */
const pathOf = (path: string) => path.replaceAll(/:\w+/g, 'none');

describe('a request without a byte of a body', () => {
  let app: TestApp;
  let operatorApp: TestOperatorApp;
  const listeners: Record<'public' | 'operator', { port: number; key: string }> = {
    public: { port: 0, key: '' },
    operator: { port: 0, key: '' },
  };
  before(async () => {
    app = await buildTestApp();
    operatorApp = await buildTestOperatorApp(app.store, app.clock);
    const listen = async ({ server }: TestApp | TestOperatorApp) =>
      Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port);
    const key = await app.makeKey('store-1', { scopes: SCOPES.account });
    listeners.public = { port: await listen(app), key };
    listeners.operator = { port: await listen(operatorApp), key: operatorApp.key };
  });
  after(async () => {
    await app.server.close();
    await operatorApp.server.close();
  });

  /** The statuses of a request and of the one that follows it on the same connection. */
  const statusesOf = async (listener: 'public' | 'operator', line: string, headers: string, body: string) => {
    const { port, key } = listeners[listener];
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.on('error', () => {});
    socket.write(
      `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n${body}` +
        'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    const text = (await socket.toArray()).join('');
    return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  };

  for (const operation of OPERATIONS as readonly Operation<ServiceContext>[])
    for (const listener of ['public', 'operator'] as const) {
      const offer = operation[listener];
      // A batch without lines is a mistake of its sender.
      if (offer === undefined || operation.body?.type === 'application/x-ndjson') continue;
      const methods = operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method];
      for (const method of methods)
        test(`${listener}: ${method} ${offer.path} is answered as without the headers of a body`, async () => {
          const line = `${method} ${pathOf(offer.path)}`;
          const plain = await statusesOf(listener, line, '', '');
          assert.equal(plain[1], 200, 'the next request on the connection is answered');
          assert.notEqual(plain[0], 415);
          for (const [name, headers, body] of EMPTY_BODIES)
            assert.deepEqual(await statusesOf(listener, line, headers, body), plain, name);
        });
    }

  test('200: the end of the chunks can arrive after the head', async () => {
    const { port, key } = listeners.public;
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    const head = `Host: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const received = once(app.server.server, 'request');
    socket.write(`GET /v1/transactions HTTP/1.1\r\n${head}`);
    await received;
    socket.write('0\r\n\r\n');
    assert.match((await socket.toArray()).join(''), /^HTTP\/1\.1 200 /);
  });
});
