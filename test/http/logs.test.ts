import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { PENDING, sendBatch } from '../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { appOnFaultyStore, rejectWith } from '../rig/store/faulty-store.ts';

const LIST = '/v1/transactions';

test('a request has one line with its id, route, status, time, account and key id', async () => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1', { id: 'key_0000000000000000' });
  app.logged.length = 0;
  await app.send(LIST, { key, headers: { 'request-id': 'mine-7' } });
  assert.equal(app.logged.length, 1);
  const { time, pid, hostname, ...line } = JSON.parse(app.logged[0] as string);
  assert.deepEqual(line, {
    level: 30,
    requestId: 'mine-7',
    method: 'GET',
    route: LIST,
    status: 200,
    durationMs: 0,
    account: 'store-1',
    keyId: 'key_0000000000000000',
    msg: 'request',
  });
});

async function linesOf(
  logged: string[],
  request: () => Promise<unknown>,
): Promise<Record<string, unknown>[]> {
  logged.length = 0;
  await request();
  return logged.map((line) => {
    const { time, pid, hostname, level, msg, requestId, durationMs, ...fields } = JSON.parse(line);
    return fields;
  });
}

test('a line has the error code, the reference, and for 401 and 429 the address of the caller', async () => {
  const config = { ...testConfig, rateLimit: { perSecond: 1, burst: 2 }, trustedProxies: ['127.0.0.1'] };
  const app = await buildTestApp({ config });
  const key = await app.makeKey('store-1', { id: 'key_0000000000000000' });
  const caller = { account: 'store-1', keyId: 'key_0000000000000000' };
  const headers = { 'x-forwarded-for': '2001:DB8::0:7' };
  const lines = (url: string, sent: object) => linesOf(app.logged, () => app.send(url, { headers, ...sent }));
  const one = { method: 'GET', route: `${LIST}/:reference`, reference: 'store-1.a' };
  assert.deepEqual(await lines(`${LIST}/store-1.a`, { key }), [
    { ...one, status: 404, code: 'not_found', ...caller },
  ]);
  assert.deepEqual(await lines(`${LIST}?limit=5`, { key }), [
    { method: 'GET', route: LIST, status: 400, code: 'unknown_parameter', ...caller },
  ]);
  assert.deepEqual(await lines(`${LIST}/store-1.a`, { key }), [
    { ...one, status: 429, code: 'rate_limited', ...caller, address: '2001:db8::7' },
  ]);
  assert.deepEqual(await lines(`${LIST}/store-1.a`, {}), [
    { ...one, status: 401, code: 'missing_api_key', address: '2001:db8::7' },
  ]);
  assert.deepEqual(
    await lines(LIST, { key: 'tk_live_x', headers: { 'x-forwarded-for': '::ffff:192.0.2.1' } }),
    [{ method: 'GET', route: LIST, status: 401, code: 'invalid_api_key', address: '192.0.2.1' }],
  );
});

test("a line of the operator's listener has the account, the transaction, the key id and the contradicting fields of the request", async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const [{ id: keyId } = { id: '' }] = await app.store.listApiKeys('*', null, 100);
  const lines = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, sent: object = {}) =>
    linesOf(operator.logged, () => operator.send(url, { method, ...sent }));
  const route = '/v1/accounts/:account/transactions/:reference';
  const at = '/v1/accounts/store-1/transactions/store-1.a';
  const concerned = { account: 'store-1', reference: 'store-1.a', keyId };

  assert.deepEqual(await lines('PUT', at, { body: PENDING }), [
    { method: 'PUT', route, status: 201, ...concerned },
  ]);
  assert.deepEqual(await lines('PUT', at, { body: { ...PENDING, amount: '17.24' } }), [
    { method: 'PUT', route, status: 409, code: 'transaction_conflict', ...concerned, differs: ['amount'] },
  ]);
  assert.deepEqual(await lines('PUT', at, { body: { ...PENDING, colour: 'red' } }), [
    { method: 'PUT', route, status: 422, code: 'invalid_fields', ...concerned },
  ]);
  assert.deepEqual(await lines('PUT', '/v1/accounts/%1B%5B31m/transactions/store-1.a', { body: PENDING }), [
    { method: 'PUT', route, status: 422, code: 'invalid_fields', reference: 'store-1.a', keyId },
  ]);

  const [created] = await lines('POST', '/v1/accounts/store-1/transactions', {
    body: PENDING,
    headers: { 'idempotency-key': 'a' },
  });
  assert.match(String(created?.['reference']), /^tx_/);
  const [{ targetKeyId, audit: _, ...made } = {}] = await lines('POST', '/v1/accounts/store-1/keys', {
    body: {},
  });
  assert.deepEqual(made, {
    method: 'POST',
    route: '/v1/accounts/:account/keys',
    status: 201,
    account: 'store-1',
    keyId,
  });
  assert.match(String(targetKeyId), /^key_/);
  const revoked = await lines('DELETE', `/v1/accounts/store-1/keys/${targetKeyId}`);
  assert.deepEqual([revoked[0]?.['targetKeyId'], revoked[0]?.['account']], [targetKeyId, 'store-1']);
});

test('no line contains a key that was sent in place of a reference or an account', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const key = await app.makeKey('store-1');
  await app.send(`${LIST}/${key}`, { key });
  await app.send(`${LIST}/${operator.key}`);
  await operator.send(`/v1/accounts/${key}/transactions/${operator.key}`, { method: 'PUT', body: PENDING });
  const batchLine = { account: key, reference: key, ...PENDING };
  await sendBatch(operator, [batchLine, { ...batchLine, amount: '2.00' }]);
  const lines = [...app.logged, ...operator.logged].join('');
  assert.ok(lines.includes('"conflict":1'));
  for (const secret of [key, operator.key]) assert.ok(!lines.includes(secret));
});

test('503: errors of one cause are logged once in ten seconds, with the count of the others', async () => {
  let text = 'connect ECONNREFUSED';
  const down = rejectWith(() => new StoreUnavailable('database_connection', text));
  const { app, faults } = await appOnFaultyStore(['listTransactions'], down);
  const key = await app.makeKey('store-1');
  faults.failing = true;
  app.logged.length = 0;
  const fail = async (times: number) => {
    for (let time = 0; time < times; time++) await app.send(LIST, { key });
  };
  const errors = () =>
    app.logged.map((line) => JSON.parse(line)).filter(({ level, err }) => level === 50 && err !== undefined);
  await fail(20);
  assert.equal(errors().length, 1);
  assert.equal(app.logged.length, 21);
  text = 'terminating connection';
  await fail(5);
  assert.equal(errors().length, 2);
  app.clock.advance(10_000);
  await fail(5);
  assert.deepEqual(
    errors().map(({ err, unlogged }) => [err.message, unlogged]),
    [
      ['connect ECONNREFUSED', undefined],
      ['terminating connection', undefined],
      ['terminating connection', 4],
    ],
  );
});

test('200: probes and the metrics are logged at debug, and at info if they fail', async () => {
  const down = rejectWith(() => new StoreUnavailable('database_connection', 'connect ECONNREFUSED'));
  const { app, faults } = await appOnFaultyStore(['ping'], down);
  const operator = await buildTestOperatorApp(app.store, app.clock);
  for (const path of ['/livez', '/healthz', '/readyz']) {
    await app.send(path);
    await operator.send(path, { method: 'GET' });
  }
  await operator.send('/metrics', { method: 'GET' });
  const levels = () => [...app.logged, ...operator.logged].map((line) => JSON.parse(line).level);
  assert.deepEqual(new Set(levels()), new Set([20]));
  assert.equal(levels().length, 7);
  faults.failing = true;
  await app.send('/readyz');
  assert.deepEqual(
    app.logged.slice(-1).map((line) => JSON.parse(line).level),
    [30],
  );
});
