import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp, testClock } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';

const MADE = /^[0-9a-f-]{36}$/;

test('a request keeps the id of its Request-Id or X-Request-Id header, if it is safe to log', async () => {
  const app = await buildTestApp();
  const idFor = async (headers: Record<string, string>) =>
    (await app.send('/livez', { headers })).headers['request-id'];
  assert.equal(await idFor({ 'request-id': 'a.b-c_1' }), 'a.b-c_1');
  assert.equal(await idFor({ 'x-request-id': 'other' }), 'other');
  for (const harmful of ['x'.repeat(65), 'a b', '{"a":1}', 'é', '']) {
    assert.match((await idFor({ 'request-id': harmful })) ?? '', MADE);
  }
});

test('a key that is sent as a request id is in no line of the log', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, testClock());
  for (const key of [await app.makeKey('store-1'), operator.key]) {
    const { headers } = await app.send('/livez', { headers: { 'request-id': key } });
    assert.match(headers['request-id'] ?? '', MADE);
  }
});

test('every response has a unique request id, which is also in the body of an error and in the log', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const ids = new Set<string>();
  const urls = ['/livez', '/v1/transactions', '/v1/transactions?limit=5', '/nope', '/docs/'];
  for (const url of [...urls, ...urls]) {
    const { headers, body } = await app.send(url, { key });
    const id = headers['request-id'] ?? '';
    assert.match(id, MADE);
    if (body?.code !== undefined) assert.equal(body.requestId, id);
    assert.ok(app.logged.some((line) => JSON.parse(line).requestId === id));
    ids.add(id);
  }
  assert.equal(ids.size, 2 * urls.length);
});

test('the request id of the caller is in the response, its error and the log', async () => {
  const app = await buildTestApp();
  const { headers, body } = await app.send('/v1/transactions', { headers: { 'request-id': 'till-4.7' } });
  assert.equal(headers['request-id'], 'till-4.7');
  assert.equal(body.requestId, 'till-4.7');
  assert.deepEqual(
    app.logged.map((line) => JSON.parse(line).requestId),
    ['till-4.7'],
  );
});
