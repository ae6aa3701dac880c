import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { wrapStore } from '../../../src/store/wrap-store.ts';
import { testClock, testConfig } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';

const TRANSACTION = {
  status: 'completed',
  amount: '12.50',
  currencyCode: 'EUR',
  paidAt: '2026-03-31T09:30:00.000Z',
  createdAt: '2026-03-31T09:30:00.000Z',
};
const put = (reference: string) => `/v1/accounts/store-1/transactions/${reference}`;

/** The operator's interface on a store that, after loseNext, does not respond to the next call of a method. */
async function appThatLoses(method: 'recordTransactions' | 'findApiKey') {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  let isLosing = false;
  const losing = wrapStore(store, [method], (_name, call) => {
    if (!isLosing) return call();
    isLosing = false;
    return new Promise(() => {});
  });
  const app = await buildTestOperatorApp(losing, clock, { ...testConfig, requestTimeoutMs: 100 });
  return { app, loseNext: () => (isLosing = true) };
}

test('503 unavailable: a recording without a response from the store does not delay the next one', async () => {
  const { app, loseNext } = await appThatLoses('recordTransactions');
  loseNext();
  assert.equal((await app.send(put('r1'), { method: 'PUT', body: TRANSACTION })).status, 503);
  assert.equal((await app.send(put('r1'), { method: 'PUT', body: TRANSACTION })).status, 201);
});

test('200 unavailable: a batch reports a group without a response from the store, and continues', async () => {
  const { app, loseNext } = await appThatLoses('recordTransactions');
  const line = JSON.stringify({ account: 'store-1', reference: 'r1', ...TRANSACTION });
  const send = () =>
    app.send('/v1/batch', {
      method: 'POST',
      // The second line makes a second group, because it has the same transaction.
      text: `${line}\n${line}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    });
  loseNext();
  const { status, text } = await send();
  assert.equal(status, 200);
  assert.deepEqual(
    text
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).outcome),
    ['unavailable', 'recorded'],
  );
});

test('503 unavailable: a batch ends if the store does not respond to the key lookup', async () => {
  const { app, loseNext } = await appThatLoses('findApiKey');
  loseNext();
  const { status } = await app.send('/v1/batch', {
    method: 'POST',
    text: '',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  assert.equal(status, 503);
});
