import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAID, recordingInto } from '../../rig/http/request-bodies.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

const PATH = '/v1/accounts/store-1/transactions';

test('200: a repetition returns the change that it repeats, even if the transaction becomes final meanwhile', async () => {
  const { store, clock } = await buildTestApp();
  const operator = await buildTestOperatorApp(store, clock);
  const { put } = recordingInto(operator);
  const { headers } = await put('a');
  const completing = storeWith(store, {
    listTransactionChanges: async (...values) => {
      assert.equal((await put('a', PAID)).headers['recording-outcome'], 'changed');
      return store.listTransactionChanges(...values);
    },
  });
  const repeated = await recordingInto(await buildTestOperatorApp(completing, clock)).put('a');
  assert.equal(repeated.headers['recording-outcome'], 'unchanged');
  assert.equal(repeated.headers['change-id'], headers['change-id']);
  assert.equal(repeated.body.status, 'pending');
});

for (const [method, path] of [
  ['PUT', `${PATH}/pay-1`],
  ['POST', PATH],
] as const)
  test(`503: the transaction of a repeated ${method} is archived or erased before its change is read`, async () => {
    const { store, clock } = await buildTestApp();
    const request = { method, body: PAID, headers: { 'idempotency-key': 'once' } };
    assert.equal((await (await buildTestOperatorApp(store, clock)).send(path, request)).status, 201);
    const removed = storeWith(store, { listTransactionChanges: async () => undefined });
    const { status, body } = await (await buildTestOperatorApp(removed, clock)).send(path, request);
    assert.deepEqual([status, body.code], [503, 'unavailable']);
  });
