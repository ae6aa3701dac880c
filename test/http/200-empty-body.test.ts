import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import type { Operation } from '../../src/http/operations/operation.ts';
import type { ServiceContext } from '../../src/service/context.ts';
import { OPERATIONS } from '../../src/service/operations.ts';
import { SCOPES } from '../../values/scopes.ts';
import { exchange, listen } from '../rig/http/connection.ts';
import { buildTestApp } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const JSON_TYPE = 'Content-Type: application/json\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n';
const EMPTY_BODIES: readonly (readonly [headers: string, body: string])[] = [
  [CHUNKED, '0\r\n\r\n'],
  [JSON_TYPE, ''],
  [JSON_TYPE + CHUNKED, '0\r\n\r\n'],
  ['Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 0\r\n', ''],
];
const NEXT = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

for (const listener of ['public', 'operator'] as const)
  test(`a request to the ${listener} listener with an empty body gets the same response as one without the headers of a body`, async (t) => {
    const app = await buildTestApp();
    const operator = await buildTestOperatorApp(app.store, app.clock);
    const { port } = await listen(t, (listener === 'public' ? app : operator).server);
    const key =
      listener === 'public' ? await app.makeKey('store-1', { scopes: SCOPES.account }) : operator.key;
    const statusesOf = async (line: string, headers: string, body: string) => {
      const head = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n${headers}\r\n`;
      return (await exchange(port, head + body + NEXT)).map(({ status }) => status);
    };
    for (const operation of OPERATIONS as readonly Operation<ServiceContext>[]) {
      const path = operation[listener]?.path;
      if (path === undefined || operation.body?.type === 'application/x-ndjson') continue;
      for (const method of operation.method === 'GET' ? ['GET', 'HEAD'] : [operation.method]) {
        const line: string = `${method} ${path.replaceAll(/:\w+/g, 'none')}`;
        const plain = await statusesOf(line, '', '');
        assert.notEqual(plain[0], 415, line);
        assert.equal(plain[1], 200, 'the next request on the connection is answered');
        for (const [headers, body] of EMPTY_BODIES)
          assert.deepEqual(await statusesOf(line, headers, body), plain, `${line} ${headers}`);
      }
    }
  });

test('200: the final empty chunk can arrive after the head', async (t) => {
  const app = await buildTestApp();
  const caller = (await listen(t, app.server)).open();
  const received = once(app.server.server, 'request');
  caller.write(
    `GET /v1/transactions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await app.makeKey('store-1')}\r\nConnection: close\r\n${CHUNKED}\r\n`,
  );
  await received;
  caller.write('0\r\n\r\n');
  assert.match((await caller.toArray()).join(''), /^HTTP\/1\.1 200 /);
});
