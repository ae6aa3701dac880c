import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOOK_UP_SHARED_MS } from '../../src/keys/key-cache.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { impatientConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
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
    const operator = await buildTestOperatorApp(app.store, app.clock);
    const count = async () => {
      const { text } = await operator.send('/metrics', { method: 'GET', key: null });
      const [, counted] =
        new RegExp(`^transactions_unavailable_total{reason="${reason}"} (\\d+)$`, 'm').exec(text) ?? [];
      return Number(counted);
    };
    const key = await app.makeKey('store-1');
    const before = await count();
    faults.failing = true;
    const { body } = await app.send(LIST, { key });
    const line = app.logged.map((text) => JSON.parse(text)).find(({ code }) => code === 'unavailable');
    assert.deepEqual([line?.requestId, line?.reason], [body.requestId, reason]);
    assert.equal(await count(), before + 1);
  });
}

for (const method of ['listTransactions', 'findApiKey'] as const) {
  test(`503 unavailable: a ${method} that never answers ends at the time limit of the request`, async () => {
    const { app, faults } = await appOnFaultyStore([method], hang, { config: impatientConfig });
    const key = await app.makeKey('store-1');
    faults.failing = true;
    const { status, headers, body } = await app.send(LIST, { key });
    assert.equal(status, 503);
    assert.equal(body.code, 'unavailable');
    assert.equal(headers['retry-after'], '1');
    faults.failing = false;
    app.clock.advance(LOOK_UP_SHARED_MS);
    assert.equal((await app.send(LIST, { key })).status, 200);
  });
}

test('500 internal_error: the response to an unexpected error has no detail of it; the log has all', async () => {
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
