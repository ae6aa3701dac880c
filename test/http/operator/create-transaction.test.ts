import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from '../../../src/ledger/changes/change.ts';
import { changeId } from '../../../src/ledger/changes/change-id.ts';
import { fingerprintOf } from '../../../src/ledger/record/http/create-transaction.ts';
import type { AccountTransaction } from '../../../src/ledger/transaction.ts';
import { buildTestApp } from '../../rig/app.ts';
import { buildTestOperatorApp } from '../../rig/operator-app.ts';
import { PAID, PENDING } from '../../rig/request-bodies.ts';

const path = (account: string) => `/v1/accounts/${account}/transactions`;

test('201: assigns a reference; the same Idempotency-Key with the same fields gets the same response again', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const post = (key: string, body: unknown, account = 'store-1') =>
    operator.send(path(account), {
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

  await operator.send(`${path('store-1')}/${first.body.reference}`, { method: 'PUT', body: PAID });
  assert.deepEqual((await post('create-1', PENDING)).body, first.body, 'the first response again');

  const other = await post('create-1', { ...PENDING, amount: '1.00' });
  assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused']);
  assert.match(other.body.detail, /was already used for a transaction with a different amount\./);
  // The transaction is completed by now: what counts is the first request.
  assert.deepEqual(other.body.differences, [{ field: 'amount', recorded: '12.50', given: '1.00' }]);
  const completed = await post('create-1', { ...PAID, merchantReference: 'other' });
  assert.deepEqual(completed.body.differences, [
    { field: 'merchantReference', recorded: PENDING.merchantReference, given: 'other' },
    { field: 'status', recorded: 'pending', given: 'completed' },
    { field: 'paidAt', recorded: null, given: PAID.paidAt },
  ]);
  assert.equal((await post('create-1', PENDING, 'store-2')).status, 201);
  for (const key of ['', 'x'.repeat(256), 'é']) {
    assert.equal((await post(key, PENDING)).body.code, 'idempotency_key_missing', key);
  }
  const { data } = (await app.send('/v1/transactions', { key: await app.makeKey('store-3') })).body;
  assert.deepEqual(data, []);
});

test('201: a replayed request says so; both responses name the change that recorded the transaction', async () => {
  const app = await buildTestApp();
  const operator = await buildTestOperatorApp(app.store, app.clock);
  const said = async () => {
    const { headers } = await operator.send(path('store-1'), {
      method: 'POST',
      body: PENDING,
      headers: { 'idempotency-key': 'create-1' },
    });
    return ['idempotency-replayed', 'recording-outcome', 'change-sequence', 'change-id'].map(
      (name) => headers[name],
    );
  };
  const first = await said();
  const { changes } = await app.store.listChanges({ account: 'store-1', after: 0, limit: 1 });
  const [{ transaction, ...change }] = changes as [Change];
  const id = changeId('store-1', change);
  assert.deepEqual(first, [undefined, 'recorded', '1', id]);
  const payment = await operator.send(`${path('store-1')}/${transaction.reference}`, {
    method: 'PUT',
    body: PAID,
  });
  assert.equal(payment.status, 200);
  assert.deepEqual(await said(), ['true', 'unchanged', '1', id]);
});

test('the fingerprint of a stored request stays the same, also if transactions get another field', () => {
  const stored = '4f794324ecd55a15ce3ea8128dd39ac6cada46086d8dbea968cccb5bc746a652';
  const sample: AccountTransaction = {
    account: 'store-1',
    reference: 'tx_1',
    merchantReference: null,
    status: 'pending',
    amountMinor: 1250,
    currencyCode: 'EUR',
    paidAtMs: null,
    createdAtMs: Date.UTC(2026, 2, 1),
  };
  assert.equal(fingerprintOf(sample), stored);
  assert.equal(fingerprintOf({ ...sample, reference: 'tx_2' }), stored);
  assert.equal(fingerprintOf({ ...sample, description: null } as AccountTransaction), stored);
  assert.notEqual(fingerprintOf({ ...sample, description: 'a gift' } as AccountTransaction), stored);
});
