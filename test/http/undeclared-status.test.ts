import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BUILT_IN_STATUSES } from '../../values/status.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { DAY, record, transaction } from '../rig/data/transactions.ts';
import { PAID, recordingInto } from '../rig/http/request-bodies.ts';
import { buildTestApp, testConfig } from '../rig/service/app.ts';
import { buildTestOperatorApp } from '../rig/service/operator-app.ts';
import { storeWith } from '../rig/store/store-with.ts';

const REFUNDED = { ...PAID, merchantReference: null, status: 'refunded' };

test('200: recordings in such a status can be repeated with PUT, POST and batch; no other transaction can take it', async () => {
  const { store, clock } = await buildTestApp();
  const statuses = new Map([...BUILT_IN_STATUSES, ['refunded', 'paid'] as const]);
  const before = recordingInto(await buildTestOperatorApp(store, clock, { ...testConfig, statuses }));
  const now = recordingInto(await buildTestOperatorApp(store, clock));
  await record(store, [transaction('store-1', 'waiting', { status: 'pending' })]);
  const first = await before.post(REFUNDED);
  const again = await now.post(REFUNDED);
  assert.deepEqual([first.status, again.status, again.body], [201, 201, first.body]);
  const other = await now.post(REFUNDED, 'another');
  assert.deepEqual([other.status, other.body.errors[0].pointer], [422, '/status']);

  for (const [recorder, reference, fields, status] of [
    [before, 'a', {}, 201],
    [now, 'a', {}, 200],
    [now, 'a', { amount: '1.00' }, 409],
    [now, 'waiting', {}, 422],
    [now, 'new', {}, 422],
  ] as const)
    assert.equal((await recorder.put(`store-1.${reference}`, { ...REFUNDED, ...fields })).status, status);
  const [repeated, refused] = ['a', 'new'].map((name) => ({ reference: `store-1.${name}`, ...REFUNDED }));
  assert.deepEqual(await now.batch(repeated as object, refused as object), ['unchanged', 'invalid_value']);
});

test('200: the OpenAPI documents name a status that another process recorded after they were first served', async () => {
  const app = await buildTestApp();
  const document = async () => (await app.send('/openapi.json')).text;
  assert.doesNotMatch(await document(), /"refunded"/);
  await record(app.store, [transaction('store-1', 'a', { status: 'refunded', paidAtMs: DAY('2026-03-01') })]);
  const key = await app.makeKey('store-1');
  assert.equal((await app.send('/v1/transactions?status=refunded', { key })).status, 200);
  assert.match(await document(), /"refunded"/);
});

test('503: a status cannot be judged while the database does not answer, and a batch continues', async () => {
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
  const { batch } = recordingInto(await buildTestOperatorApp(failing, clock));
  const lines = ['unknown', 'pending'].map((status) => ({
    ...REFUNDED,
    reference: status,
    status,
    paidAt: null,
  }));
  assert.deepEqual(await batch(...lines), ['invalid_value', 'recorded']);
});
