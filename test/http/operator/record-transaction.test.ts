import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { buildTestApp, type TestApp } from '../../rig/app.ts';
import { buildTestOperatorApp, type TestOperatorApp } from '../../rig/operator-app.ts';

const PENDING = {
  merchantReference: 'order-7',
  status: 'pending',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: null,
  createdAt: '2026-03-01T10:00:00.000Z',
};
const PAID = { ...PENDING, status: 'completed', paidAt: '2026-03-01T10:00:05.000Z' };
const AT = (reference: string, account = 'store-1') => `/v1/accounts/${account}/transactions/${reference}`;

describe("the operator's recording", () => {
  let app: TestApp;
  let operator: TestOperatorApp;
  beforeEach(async () => {
    app = await buildTestApp();
    operator = await buildTestOperatorApp(app.store, app.clock);
  });

  const put = (reference: string, body: unknown, account?: string) =>
    operator.send(AT(reference, account), { method: 'PUT', body });
  const listed = async (account = 'store-1') =>
    (await app.send('/v1/transactions', { key: await app.makeKey(account) })).body.data;

  test('PUT 201: records the whole fact; 200: its payment, and every repetition', async () => {
    const first = await put('store-1.a', PENDING);
    assert.equal(first.status, 201);
    assert.deepEqual(first.body, { reference: 'store-1.a', ...PENDING });
    assert.equal((await put('store-1.a', PENDING)).status, 200);
    const paid = await put('store-1.a', PAID);
    assert.equal(paid.status, 200);
    assert.deepEqual(paid.body, { reference: 'store-1.a', ...PAID });
    assert.equal((await put('store-1.a', PAID)).status, 200);
    assert.deepEqual(await listed(), [{ reference: 'store-1.a', ...PAID }]);
  });

  test('PUT 409 transaction_conflict: each differing field with both values, and nothing changes', async () => {
    await put('store-1.a', PAID);
    const { status, body } = await put('store-1.a', { ...PENDING, amount: '13.00', merchantReference: null });
    assert.equal(status, 409);
    assert.equal(body.code, 'transaction_conflict');
    assert.deepEqual(body.differences, [
      { field: 'merchantReference', recorded: 'order-7', given: null },
      { field: 'amount', recorded: '12.50', given: '13.00' },
      { field: 'status', recorded: 'completed', given: 'pending' },
      { field: 'paidAt', recorded: '2026-03-01T10:00:05.000Z', given: null },
    ]);
    assert.deepEqual(await listed(), [{ reference: 'store-1.a', ...PAID }]);
  });

  test('PUT 422 invalid_fields: every fault at once, each with its JSON pointer and what would be right', async () => {
    const { status, body } = await put('store-1.a', {
      status: 'paid',
      amount: 12.5,
      currencyCode: 'eur',
      paidAt: '2026-03-01',
      createdAt: '2026-03-01T10:00:00.0001Z',
      'odd/name~': 1,
      reference: 'other',
    });
    assert.equal(status, 422);
    assert.equal(body.code, 'invalid_fields');
    assert.deepEqual(
      new Set(body.errors.map(({ pointer }: { pointer: string }) => pointer)),
      new Set(['/reference', '/odd~1name~0', '/status', '/amount', '/currencyCode', '/createdAt', '/paidAt']),
    );
    assert.match(JSON.stringify(body.errors), /is a number; write it as a string/);
    assert.deepEqual(await listed(), []);
    for (const [reference, account] of [
      ['a%20b', 'store-1'],
      ['a', 'store%201'],
    ] as const) {
      assert.equal((await put(reference, PENDING, account)).status, 422);
    }
    assert.equal((await put('a', { ...PENDING, amount: '1.005' })).status, 422);
  });

  test('PUT 400 invalid_body, 413 and 415: what can not be read is told as that', async () => {
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

  test('many PUTs at once are each answered for themselves, those of one reference in agreement', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        put(`store-1.r${index % 20}`, { ...PENDING, amount: `${index % 20 === 0 ? index : 5}.00` }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 20);
    assert.equal(statuses.filter((status) => status === 409).length, 2);
    assert.equal(statuses.filter((status) => status === 200).length, 38);
  });

  test('POST 201: assigns a reference that sorts by time, and answers the same key with the same again', async () => {
    const post = (key: string, body: unknown, account = 'store-1') =>
      operator.send(`/v1/accounts/${account}/transactions`, {
        method: 'POST',
        body,
        headers: { 'idempotency-key': key },
      });
    const first = await post('create-1', PENDING);
    assert.equal(first.status, 201);
    assert.match(first.body.reference, /^tx_[0-9a-f-]{36}$/);
    const again = await post('create-1', PENDING);
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);

    await put(first.body.reference, PAID);
    assert.deepEqual((await post('create-1', PENDING)).body, first.body, 'the first answer again');

    const other = await post('create-1', { ...PENDING, amount: '1.00' });
    assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
    assert.equal((await post('create-1', PENDING, 'store-2')).status, 201);
    for (const key of ['', 'x'.repeat(256), 'é']) {
      assert.equal((await post(key, PENDING)).body.code, 'idempotency_key_missing', key);
    }
    const { data } = (await app.send('/v1/transactions', { key: await app.makeKey('store-3') })).body;
    assert.deepEqual(data, []);
  });

  test("401: an account's key does not open it, nor the operator's a public list; 405 and 404 as everywhere", async () => {
    const accountKey = await app.makeKey('store-1');
    const refused = await operator.send(AT('a'), { method: 'PUT', body: PENDING, key: accountKey });
    assert.deepEqual([refused.status, refused.body.code], [401, 'invalid_api_key']);
    const missing = await operator.send(AT('a'), { method: 'PUT', body: PENDING, key: null });
    assert.deepEqual([missing.status, missing.body.code], [401, 'missing_api_key']);
    assert.equal((await app.send('/v1/transactions', { key: operator.key })).status, 401);
    const { status, headers } = await operator.send(AT('a'), { method: 'PATCH', body: PENDING });
    assert.deepEqual([status, headers['allow']], [405, 'PUT']);
    assert.equal((await operator.send('/v1/transactions', { method: 'GET' })).status, 404);
  });

  test('no key and no value of a field is in the log', async () => {
    await put('store-1.a', { ...PENDING, merchantReference: 'very-private' });
    await put('store-1.a', { ...PAID, amount: '99.99' });
    const lines = operator.logged.join('');
    for (const secret of [operator.key, 'very-private', '99.99']) assert.ok(!lines.includes(secret), secret);
    assert.ok(operator.logged.length >= 2);
  });
});
