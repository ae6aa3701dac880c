import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../rig/app.ts';
import { record, transaction } from '../rig/transactions.ts';

const AT = (reference: string) => `/v1/transactions/${reference}`;

test('200: a transaction retrieved by its reference is the same object as in the list', async () => {
  const app = await buildTestApp();
  await record(app.store, [transaction('store-1', 'a', { merchantReference: 'order 7' })]);
  const key = await app.makeKey('store-1');
  const [listed] = (await app.send('/v1/transactions', { key })).body.data;
  const { status, body } = await app.send(AT('store-1.a'), { key });
  assert.equal(status, 200);
  assert.deepEqual(body, listed);
  assert.equal((await app.send(AT('store-1.a'), { key, method: 'HEAD' })).status, 200);
});

test('404 not_found: an unknown reference and one of another account get the same response', async () => {
  const app = await buildTestApp();
  await record(app.store, [transaction('store-2', 'a')]);
  const key = await app.makeKey('store-1');
  const responses = await Promise.all(
    ['store-2.a', 'store-2.b', 'x'.repeat(64), 'x'.repeat(65), 'a%20b', '%00'].map(async (reference) => {
      const { status, headers, body } = await app.send(AT(reference), { key });
      assert.equal(status, 404, reference);
      const { 'request-id': _, date: __, ...others } = headers;
      return { headers: others, body: { ...body, requestId: '' } };
    }),
  );
  for (const response of responses) assert.deepEqual(response, responses[0]);
  assert.equal(responses[0]?.body.code, 'not_found');
});

test('401 has precedence over 404, and 405 has Allow', async () => {
  const app = await buildTestApp();
  assert.equal((await app.send(AT('store-1.a'))).status, 401);
  const { status, headers } = await app.send(AT('store-1.a'), { method: 'DELETE' });
  assert.equal(status, 405);
  assert.equal(headers['allow'], 'GET, HEAD');
});

test('400 unknown_parameter: the operation accepts no parameter, and ignores none', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const { status, body } = await app.send(`${AT('store-1.a')}?status=pending&a=1`, { key });
  assert.equal(status, 400);
  assert.equal(body.code, 'invalid_request');
  assert.deepEqual(
    body.errors.map(({ parameter }: { parameter: string }) => parameter),
    ['status', 'a'],
  );
});
