import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_STATUSES } from '../../src/values/status.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { PAID, sendBatch } from '../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

/* Transactions whose status STATUSES declared when they were recorded, and does not any more. */

const REFUNDED = { ...PAID, merchantReference: null, status: 'refunded' };
const PATH = '/v1/accounts/store-1/transactions';

test('200: what was recorded in it can be repeated, with PUT, POST and in a batch; nothing else can take it', async () => {
  const { store, clock } = await buildTestApp();
  const statuses = new Map([...BUILT_IN_STATUSES, ['refunded', 'paid'] as const]);
  const before = await buildTestOperatorApp(store, clock, { ...testConfig, statuses });
  const operator = await buildTestOperatorApp(store, clock);
  await record(store, [transaction('store-1', 'waiting', { status: 'pending' })]);
  const post = (app: typeof operator, key: string) =>
    app.send(PATH, { method: 'POST', body: REFUNDED, headers: { 'idempotency-key': key } });
  const first = await post(before, 'once');
  const again = await post(operator, 'once');
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
  const other = await post(operator, 'another');
  assert.deepEqual([other.status, other.body.errors[0].pointer], [422, '/status']);

  const put = async (app: typeof operator, reference: string, fields = {}) =>
    (await app.send(`${PATH}/store-1.${reference}`, { method: 'PUT', body: { ...REFUNDED, ...fields } }))
      .status;
  assert.equal(await put(before, 'a'), 201);
  assert.equal(await put(operator, 'a'), 200);
  assert.equal(await put(operator, 'a', { amount: '1.00' }), 409);
  for (const reference of ['waiting', 'new']) assert.equal(await put(operator, reference), 422);
  const lines = ['a', 'new'].map((name) => ({
    account: 'store-1',
    reference: `store-1.${name}`,
    ...REFUNDED,
  }));
  const results = await sendBatch(operator, lines);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unchanged', 'invalid'],
  );
});

test('503: whether it is one cannot be said while the database does not answer, and a batch goes on', async () => {
  const { store, clock, makeKey } = await buildTestApp();
  await record(store, [transaction('store-1', 'a', { status: 'refunded', paidAtMs: DAY('2026-03-01') })]);
  const error = new StoreUnavailable('database_error', 'the database does not answer');
  const failing = storeWith(store, { listRecordedStatuses: () => Promise.reject(error) });
  const app = await buildTestApp({ store: failing, clock });
  const key = await makeKey('store-1');
  for (const [name, status] of [
    ['refunded', 503],
    ['Refunded', 400],
    ['completed', 200],
  ] as const)
    assert.equal((await app.send(`/v1/transactions?status=${name}`, { key })).status, status);
  const operator = await buildTestOperatorApp(failing, clock);
  const lines = ['unknown', 'pending'].map((status) => ({
    account: 'store-1',
    reference: status,
    ...REFUNDED,
    status,
    paidAt: null,
  }));
  const results = await sendBatch(operator, lines);
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['invalid', 'recorded'],
  );
});
