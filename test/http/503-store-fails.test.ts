import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Store, StoreUnavailable } from '../../src/core/store.ts';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { buildTestApp, testClock } from '../rig/app.ts';
import { record, transaction } from '../rig/transactions.ts';

const LIST = '/v1/transactions';

/** A store whose named calls fail as long as `failing` says so. */
async function faultyStore(methods: readonly (keyof Store)[], failure: () => Error) {
  const clock = testClock();
  const { store } = await openStore(IN_MEMORY_URL, clock.now);
  const faults = { failing: false };
  const faulty = Object.fromEntries(
    Object.entries(store).map(([name, method]) => [
      name,
      methods.includes(name as keyof Store)
        ? async (...values: unknown[]) => {
            if (faults.failing) throw failure();
            return method(...values);
          }
        : method,
    ]),
  ) as unknown as Store;
  return { app: await buildTestApp({ store: faulty, clock }), faults };
}

test('503 unavailable: a list that can not be read is an error, never an empty page, and works again later', async () => {
  const { app, faults } = await faultyStore(
    ['listTransactions'],
    () => new StoreUnavailable('disk I/O error'),
  );
  await record(app.store, [transaction('store-1', 'a')]);
  const key = await app.makeKey('store-1');
  faults.failing = true;
  const { status, headers, body, text } = await app.ask(LIST, { key });
  assert.equal(status, 503);
  assert.equal(body.code, 'unavailable');
  assert.equal(headers['retry-after'], '1');
  assert.doesNotMatch(text, /disk I\/O/);
  assert.ok(app.logged.some((line) => line.includes('disk I/O error') && line.includes(body.requestId)));
  faults.failing = false;
  assert.equal((await app.ask(LIST, { key })).body.data.length, 1);
});

test('503 unavailable: a key that can not be looked up is not called invalid', async () => {
  const { app, faults } = await faultyStore(['findApiKey'], () => new StoreUnavailable('locked'));
  const key = await app.makeKey('store-1');
  faults.failing = true;
  assert.equal((await app.ask(LIST, { key })).status, 503);
});

test('500 internal_error: an error that nobody foresaw tells nothing of itself, and is logged whole', async () => {
  const { app, faults } = await faultyStore(['listTransactions'], () => new TypeError('secret detail'));
  const key = await app.makeKey('store-1');
  faults.failing = true;
  const { status, body, text } = await app.ask(LIST, { key });
  assert.equal(status, 500);
  assert.equal(body.code, 'internal_error');
  assert.doesNotMatch(text, /secret detail/);
  assert.ok(app.logged.some((line) => line.includes('secret detail') && line.includes(body.requestId)));
});

test('503: /readyz tells that the database does not answer, and /livez does not ask it', async () => {
  const { app, faults } = await faultyStore(['ping'], () => new StoreUnavailable('gone'));
  assert.equal((await app.ask('/readyz')).status, 200);
  faults.failing = true;
  assert.equal((await app.ask('/readyz')).status, 503);
  for (const path of ['/livez', '/healthz']) {
    assert.deepEqual((await app.ask(path)).body, { status: 'ok' });
  }
});

test('503: /readyz tells that the service is stopping, so that no new work is sent to it', async () => {
  const app = await buildTestApp();
  app.announceStop();
  const { status, body } = await app.ask('/readyz');
  assert.equal(status, 503);
  assert.match(body.detail, /stopping/);
  assert.equal((await app.ask('/livez')).status, 200);
});
