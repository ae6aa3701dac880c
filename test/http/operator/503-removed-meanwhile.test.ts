import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/store/store.ts';
import { PAID } from '../../rig/http/request-bodies.ts';
import { buildTestApp } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

/* A transaction can be archived or erased between two reads of one request. */

const PATH = '/v1/accounts/store-1/transactions';

/** Records twice, the second time with other calls. Returns what is answered then. */
async function repeated(calls: Partial<Store>, path: string, method: 'PUT' | 'POST') {
  const { store, clock } = await buildTestApp();
  const request = { method, body: PAID, headers: { 'idempotency-key': 'once' } };
  const operator = await buildTestOperatorApp(store, clock);
  assert.equal((await operator.send(path, request)).status, 201);
  const second = await buildTestOperatorApp(storeWith(store, calls), clock);
  const { status, body } = await second.send(path, request);
  return [status, body.code];
}

const UNAVAILABLE = [503, 'unavailable'];
const hasNoChanges: Partial<Store> = { listTransactionChanges: async () => undefined };

test('503: a PUT is repeated, and its transaction is removed before its change is read', async () => {
  assert.deepEqual(await repeated(hasNoChanges, `${PATH}/pay-1`, 'PUT'), UNAVAILABLE);
});

test('503: a POST is repeated, and its transaction is removed before its change is read', async () => {
  assert.deepEqual(await repeated(hasNoChanges, PATH, 'POST'), UNAVAILABLE);
});
