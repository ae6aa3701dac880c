import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IN_MEMORY_URL, openStore } from '../../../src/store/open-store.ts';
import { PAID, recordingInto } from '../../rig/http/request-bodies.ts';
import { impatientConfig, testClock } from '../../rig/service/app.ts';
import { buildTestOperatorApp } from '../../rig/service/operator-app.ts';
import { storeWith } from '../../rig/store/store-with.ts';

async function appThatLoses(method: 'record' | 'retrieveTransaction') {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  let isLosing = false;
  const losing = storeWith(store, {
    [method]: (...values: never[]) => {
      if (!isLosing) return (store[method] as (...values: never[]) => unknown)(...values);
      isLosing = false;
      return new Promise(() => {});
    },
  });
  const app = await buildTestOperatorApp(losing, clock, impatientConfig);
  return { app, loseNext: () => (isLosing = true) };
}

test('503 unavailable: a recording without a response from the store delays neither the next one nor a batch', async () => {
  const { app, loseNext } = await appThatLoses('record');
  const { put, batch } = recordingInto(app);
  loseNext();
  assert.deepEqual([(await put('r1')).status, (await put('r1')).status], [503, 201]);
  loseNext();
  const line = { reference: 'r2', ...PAID };
  assert.deepEqual(await batch(line, line), ['unavailable', 'recorded']);
});

test('unavailable: a batch, which has no time limit, ends if the store does not respond to the look-up of a transaction', {
  timeout: 60_000,
}, async () => {
  const { app, loseNext } = await appThatLoses('retrieveTransaction');
  loseNext();
  const line = { reference: 'r1', ...PAID, createdAt: '9998-01-01T00:00:00.000Z' };
  assert.deepEqual(await recordingInto(app).batch(line), ['unavailable']);
});
