import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { BUILT_IN_STATUSES } from '../../src/values/status.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { buildTestApp, type TestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const refunded = (name: string) =>
  transaction('store-1', name, { status: 'refunded', paidAtMs: DAY('2026-03-01') });

/** STATUSES declared `refunded` when they were recorded, and does not any more. */
describe('transactions in a status that is no longer declared', () => {
  let app: TestApp;
  let key: string;
  beforeEach(async () => {
    app = await buildTestApp();
    await record(app.store, [refunded('a'), transaction('store-1', 'b')]);
    key = await app.makeKey('store-1');
  });
  const referencesOf = (body: { data: { reference: string }[] }) =>
    body.data.map(({ reference }) => reference);

  test('200: every read can be filtered by it, also of an account without such a transaction', async () => {
    const operator = await buildTestOperatorApp(app.store, app.clock);
    const other = await app.makeKey('store-2');
    const get = async (path: string, sent = key) => app.send(`/v1/${path}?status=refunded`, { key: sent });
    assert.deepEqual(referencesOf((await get('transactions')).body), ['store-1.a']);
    assert.deepEqual((await get('transactions', other)).body.data, []);
    const { body } = await app.send('/v1/transactions?currency=EUR', { key });
    assert.deepEqual(referencesOf(body), ['store-1.b', 'store-1.a']);
    const [total] = (await get('totals')).body.data;
    assert.deepEqual([total.status, total.count], ['refunded', 1]);
    for (const format of ['csv', 'ndjson']) {
      const { text } = await get(`transactions.${format}`);
      assert.deepEqual(text.match(/store-1\.\w/g), ['store-1.a']);
    }
    const looked = await operator.send('/v1/accounts/store-1/transactions?status=refunded', {
      method: 'GET',
    });
    assert.deepEqual(referencesOf(looked.body), ['store-1.a']);
  });

  test('200: also if another instance recorded the first of them after this one started', async () => {
    await record(app.store, [transaction('store-1', 'c', { status: 'voided', paidAtMs: null })]);
    const { status, body } = await app.send('/v1/transactions?status=voided', { key });
    assert.equal(status, 200);
    assert.deepEqual(referencesOf(body), ['store-1.c']);
  });

  test('400: a status that is neither declared nor recorded, with the recorded ones among the recognised', async () => {
    const { status, body } = await app.send('/v1/transactions?status=refundedd', { key });
    assert.equal(status, 400);
    assert.equal(body.code, 'invalid_status');
    assert.match(body.detail, /Recognised: pending, completed, refunded\./);
  });

  const REFUNDED = {
    status: 'refunded',
    amount: '12.50',
    currencyCode: 'EUR',
    paidAt: '2026-03-01T00:00:00.000Z',
    createdAt: '2026-03-01T00:00:00.000Z',
  };

  test('200: what was recorded in it can be repeated, with PUT, POST and in a batch; nothing else can take it', async () => {
    await record(app.store, [transaction('store-1', 'waiting', { status: 'pending' })]);
    const declaring = {
      ...testConfig,
      statuses: new Map([...BUILT_IN_STATUSES, ['refunded', 'paid'] as const]),
    };
    const operator = await buildTestOperatorApp(app.store, app.clock);
    const before = await buildTestOperatorApp(app.store, app.clock, declaring);
    const path = '/v1/accounts/store-1/transactions';
    const post = { method: 'POST', body: REFUNDED, headers: { 'idempotency-key': 'once' } } as const;
    const first = await before.send(path, { ...post });
    const again = await operator.send(path, { ...post });
    assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
    const other = await operator.send(path, { ...post, headers: { 'idempotency-key': 'another' } });
    assert.deepEqual([other.status, other.body.errors[0].pointer], [422, '/status']);

    const put = async (reference: string, fields = {}) =>
      (
        await operator.send(`${path}/store-1.${reference}`, {
          method: 'PUT',
          body: { ...REFUNDED, ...fields },
        })
      ).status;
    assert.equal(await put('a'), 200);
    assert.equal(await put('a', { amount: '1.00' }), 409);
    assert.equal(await put('waiting'), 422);
    assert.equal(await put('b'), 422);

    const lines = ['a', 'new'].map((name) =>
      JSON.stringify({ account: 'store-1', reference: `store-1.${name}`, ...REFUNDED }),
    );
    const headers = { 'content-type': 'application/x-ndjson' };
    const batch = await operator.send('/v1/batch', { method: 'POST', text: lines.join('\n'), headers });
    const outcomes = batch.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).outcome);
    assert.deepEqual(outcomes, ['unchanged', 'invalid']);
  });

  test('200: a batch goes on if the recorded statuses cannot be read', async () => {
    const store = storeWith(app.store, {
      listRecordedStatuses: () =>
        Promise.reject(new StoreUnavailable('database_error', 'the database does not answer')),
    });
    const operator = await buildTestOperatorApp(store, app.clock);
    const lines = ['unknown', 'pending'].map((status) =>
      JSON.stringify({ account: 'store-1', reference: status, ...REFUNDED, status, paidAt: null }),
    );
    const { text } = await operator.send('/v1/batch', {
      method: 'POST',
      text: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const outcomes = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).outcome]));
    assert.deepEqual(outcomes, ['invalid', 'recorded']);
  });

  test('422: no further transaction can be recorded in it', async () => {
    const operator = await buildTestOperatorApp(app.store, app.clock);
    const { status } = await operator.send('/v1/accounts/store-1/transactions/x', {
      method: 'PUT',
      body: REFUNDED,
    });
    assert.equal(status, 422);
  });

  test('503: whether it is one can not be said while the database does not answer', async () => {
    const failing = await buildTestApp({
      store: storeWith(app.store, {
        listRecordedStatuses: () =>
          Promise.reject(new StoreUnavailable('database_error', 'the database does not answer')),
      }),
    });
    assert.equal((await failing.send('/v1/transactions?status=refunded', { key })).status, 503);
    assert.equal((await failing.send('/v1/transactions?status=Refunded', { key })).status, 400);
    assert.equal((await failing.send('/v1/transactions?status=completed', { key })).status, 200);
  });
});
