import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const MADE = /^[0-9a-f-]{36}$/;

test('the response, its error and the log have the request id of the caller, if it is safe to log and not a key', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, testClock());
  const harmful = ['x'.repeat(65), 'a b', '{"a":1}', 'é', '', await app.makeKey('store-1'), operator.key];
  for (const [headers, expected] of [
    [{ 'request-id': 'a.b-c_1' }, /^a\.b-c_1$/],
    [{ 'x-request-id': 'other' }, /^other$/],
    ...harmful.map((id) => [{ 'request-id': id }, MADE]),
  ] as [Record<string, string>, RegExp][]) {
    for (const url of ['/livez', '/v1/transactions', '/nope', '/v1/%zz']) {
      const { headers: answered, body } = await app.send(url, { headers });
      const id = answered['request-id'] ?? '';
      assert.match(id, expected);
      assert.equal(body.requestId ?? id, id);
      assert.equal(JSON.parse(app.logged.at(-1) ?? '').requestId, id);
    }
  }
});
