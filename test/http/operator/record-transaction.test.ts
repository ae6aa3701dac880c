import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { wrapStore } from '../../../src/store/wrap-store.ts';
import { PAID, PENDING } from '../../rig/http/request-bodies.ts';
import { buildTestApp, type TestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/service/operator-app.ts';

const AT = (reference: string, account = 'store-1') => `/v1/accounts/${account}/transactions/${reference}`;

describe('PUT of a transaction', () => {
  let app: TestApp;
  let operator: TestOperatorApp;
  beforeEach(async () => {
    app = await buildTestApp();
    operator = await buildTestOperatorApp(app.store, app.clock);
  });

  const put = (reference: string, body: unknown, account?: string) =>
    operator.send(AT(reference, account), { method: 'PUT', body });

  test('400 invalid_body, 413 and 415: a body that cannot be read', async () => {
    const send = (text: string, headers = {}) => operator.send(AT('a'), { method: 'PUT', text, headers });
    for (const text of ['{"status":', '[]', '"x"', 'null']) {
      const { status, body } = await send(text);
      assert.deepEqual([status, body.code], [400, 'invalid_body'], text);
    }
    assert.equal((await operator.send(AT('a'), { method: 'PUT' })).body.code, 'invalid_body');
    const large = await send(JSON.stringify({ ...PENDING, merchantReference: 'x'.repeat(20_000) }));
    assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large']);
    const typed = await send('<a/>', { 'content-type': 'application/xml' });
    assert.deepEqual([typed.status, typed.body.code], [415, 'unsupported_media_type']);
  });

  test("401: an account's key is refused here, and the operator's key on the public listener; 404 and 405 are the same on both", async () => {
    const accountKey = await app.makeKey('store-1');
    const refused = await operator.send(AT('a'), { method: 'PUT', body: PENDING, key: accountKey });
    assert.deepEqual([refused.status, refused.body.code], [401, 'invalid_api_key']);
    const missing = await operator.send(AT('a'), { method: 'PUT', body: PENDING, key: null });
    assert.deepEqual([missing.status, missing.body.code], [401, 'missing_api_key']);
    assert.match(refused.body.detail, /needs a key of the operator, which begins with tk_operator_\.$/);
    // The same for a key that was never issued.
    for (const key of [operator.key, 'tk_operator_x']) {
      const { status, body } = await app.send('/v1/transactions', { key });
      assert.deepEqual([status, body.code], [401, 'invalid_api_key']);
      assert.match(body.detail, /needs the key of an account, which begins with tk_live_\.$/);
    }
    const { status, headers } = await operator.send(AT('a'), { method: 'PATCH', body: PENDING });
    assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, PUT']);
    assert.equal((await operator.send('/v1/transactions', { method: 'GET' })).status, 404);
  });

  test('200: a repetition has the change that it repeats, also if the transaction becomes final meanwhile', async () => {
    const { headers } = await put('a', PENDING);
    const completing = wrapStore(app.store, ['listTransactionChanges'], async (_name, read) => {
      assert.equal((await put('a', PAID)).headers['recording-outcome'], 'changed');
      return read();
    });
    const { send } = await buildTestOperatorApp(completing, app.clock);
    const repeated = await send(AT('a'), { method: 'PUT', body: PENDING });
    assert.equal(repeated.headers['recording-outcome'], 'unchanged');
    assert.equal(repeated.headers['change-id'], headers['change-id']);
    assert.equal(repeated.body.status, 'pending');
  });

  test('the log contains no key and no field of a transaction', async () => {
    await put('store-1.a', { ...PENDING, merchantReference: 'very-private' });
    await put('store-1.a', { ...PAID, amount: '99.99' });
    const lines = operator.logged.join('');
    for (const secret of [operator.key, 'very-private', '99.99']) assert.ok(!lines.includes(secret), secret);
    assert.ok(operator.logged.length >= 2);
  });
});
