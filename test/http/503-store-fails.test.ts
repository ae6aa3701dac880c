import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOK_UP_SHARED_MS } from '../../src/keys/key-cache.ts';
import type { StoreCalls } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { PAID } from '../rig/http/request-bodies.ts';
import { impatientConfig, metric } from '../rig/service/app.ts';
import { buildTestOperatorApp, type OperatorRequest } from '../rig/service/operator-app.ts';
import { appOnFaultyStore, hang, rejectWith } from '../rig/store/faulty-store.ts';

const LIST = '/v1/transactions';
const unavailable = rejectWith(() => new StoreUnavailable('database_error', 'disk I/O error'));

test('503 unavailable: a list that cannot be read is an error, never an empty page', async () => {
  const { app, faults } = await appOnFaultyStore(['listTransactions'], unavailable);
  const key = await app.makeKey('store-1');
  faults.failing = true;
  const { status, headers, body, text } = await app.send(LIST, { key });
  assert.equal(status, 503);
  assert.equal(body.code, 'unavailable');
  assert.equal(headers['retry-after'], '1');
  assert.equal(body.data, undefined);
  assert.doesNotMatch(text, /disk I\/O/);
  assert.ok(app.logged.some((line) => line.includes('disk I/O error') && line.includes(body.requestId)));
});

for (const [reason, fault] of [
  ['database_queue', rejectWith(() => new StoreUnavailable('database_queue'))],
  ['deadline', hang],
] as const) {
  test(`503 unavailable: the reason ${reason} is in the log and in the metrics`, async () => {
    const { app, faults } = await appOnFaultyStore(['listTransactions'], fault, { config: impatientConfig });
    const series = `transactions_unavailable_total{reason="${reason}"}`;
    const key = await app.makeKey('store-1');
    const before = await metric(series);
    faults.failing = true;
    const { body } = await app.send(LIST, { key });
    const line = app.logged.map((text) => JSON.parse(text)).find(({ code }) => code === 'unavailable');
    assert.deepEqual([line?.requestId, line?.reason], [body.requestId, reason]);
    assert.equal(await metric(series), before + 1);
  });
}

const TRANSACTIONS = '/v1/accounts/store-1/transactions';
const KEYS = '/v1/accounts/store-1/keys';
const CALLS: readonly (readonly [
  call: keyof StoreCalls,
  method: OperatorRequest['method'],
  url: string,
  body?: object,
])[] = [
  ['listTransactions', 'GET', LIST],
  ['findApiKey', 'GET', LIST],
  ['record', 'PUT', `${TRANSACTIONS}/r1`, PAID],
  ['createApiKey', 'POST', KEYS, {}],
];

for (const [call, method, url, body] of CALLS)
  test(`503 unavailable: ${method} ${url} ends at its time limit while ${call} never answers`, async () => {
    const { app, faults } = await appOnFaultyStore([call], hang, { config: impatientConfig });
    const operator = await buildTestOperatorApp(app.store, app.clock, impatientConfig);
    const key = await app.makeKey('store-1');
    const send = () =>
      url === LIST
        ? app.send(url, { key })
        : operator.send(url, { method, body, headers: { 'idempotency-key': 'a' } });
    faults.failing = true;
    const { status, headers, body: problem } = await send();
    assert.deepEqual([status, problem.code, headers['retry-after']], [503, 'unavailable', '1']);
    faults.failing = false;
    app.clock.advance(LOOK_UP_SHARED_MS);
    assert.ok((await send()).status < 500);
  });

test('500 internal_error: the response to an unexpected error does not show it; the log has the details', async () => {
  const { app, faults } = await appOnFaultyStore(
    ['listTransactions'],
    rejectWith(() => new TypeError('secret detail')),
  );
  const key = await app.makeKey('store-1');
  faults.failing = true;
  const { status, body, text } = await app.send(LIST, { key });
  assert.equal(status, 500);
  assert.equal(body.code, 'internal_error');
  assert.doesNotMatch(text, /secret detail/);
  assert.ok(app.logged.some((line) => line.includes('secret detail') && line.includes(body.requestId)));
});
