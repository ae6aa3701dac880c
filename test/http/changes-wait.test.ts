import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { IN_MEMORY_URL, openStore } from '../../src/store/open-store.ts';
import { pending } from '../rig/data/changes.ts';
import { record } from '../rig/data/transactions.ts';
import { listen, readUntil } from '../rig/http/connection.ts';
import { recordingBeside, untilWaiting, waitFor } from '../rig/http/waiting-callers.ts';
import { buildTestApp, impatientConfig, metric, testConfig } from '../rig/service/app.ts';
import { someEntry } from '../rig/store/audit.ts';
import { storeWith } from '../rig/store/store-with.ts';

const CHANGES = '/v1/changes';
async function countingChecks(changed: Partial<typeof testConfig> = {}) {
  const { store } = await buildTestApp();
  let left = 0;
  let done = () => {};
  const counting = storeWith(store, {
    readHeads: (accounts) => {
      if (--left === 0) done();
      return store.readHeads(accounts);
    },
  });
  const app = await buildTestApp({ store: counting, config: { ...testConfig, ...changed } });
  const checks = (count: number) =>
    new Promise<void>((resolve) => {
      [left, done] = [count + 1, resolve];
    });
  return { app, checks };
}

test('401 invalid_api_key: a waiting request gets no change that is recorded just after its key was revoked', async () => {
  const app = await buildTestApp();
  const id = 'key_0000000000000001';
  const { response } = await waitFor(app, await app.makeKey('store-1', { id }));
  await app.store.revokeApiKey(id, app.clock.now(), someEntry());
  await record(recordingBeside(app), [pending('store-1', 'a')]);
  assert.equal((await response).body.code, 'invalid_api_key');
});

test('409 history_changed: a restore during a wait is noticed, with and without further recordings', async () => {
  const databaseOf = async (...nonces: number[]) => {
    const left = [...nonces];
    const { store } = await openStore(IN_MEMORY_URL, () => 0, { drawNonce: () => left.shift() as number });
    for (const nonce of nonces) await record(store, [pending('store-1', `r${nonce % 10}`)]);
    return store;
  };
  for (const nonces of [[1, 12], [1, 12, 13], [1]]) {
    const first = await databaseOf(1, 2);
    let database = first;
    const store = storeWith(first, {
      listChanges: (query) => database.listChanges(query),
      readHeads: (accounts) => database.readHeads(accounts),
    });
    const app = await buildTestApp({ store });
    const key = await app.makeKey('store-1');
    const { lastId } = (await app.send(CHANGES, { key })).body;
    const waiting = app.send(`${CHANGES}?after=2&afterId=${lastId}&wait=1`, { key });
    await untilWaiting(app, 1);
    database = await databaseOf(...nonces);
    app.changeWatcher.noteRecorded('store-1');
    const { status, body } = await waiting;
    assert.deepEqual([status, body.code], [409, 'history_changed'], nonces.join());
  }
});

test('a waiting request counts once for the rate limit', async () => {
  const { app, checks } = await countingChecks({ rateLimit: { perSecond: 1, burst: 5 } });
  const key = await app.makeKey('store-1');
  const { response } = await waitFor(app, key);
  await checks(3);
  await record(recordingBeside(app), [pending('store-1', 'a')]);
  assert.equal((await response).headers['ratelimit'], '"key";r=4;t=0');
  assert.equal((await app.send(CHANGES, { key })).headers['ratelimit'], '"key";r=3;t=0');
});

test('the time limit of a request applies to the reads before and after a wait, but not to the wait', async () => {
  const { store } = await buildTestApp();
  let hangs = false;
  const hanging = storeWith(store, {
    listChanges: (query) => (hangs ? new Promise(() => {}) : store.listChanges(query)),
  });
  const app = await buildTestApp({ store: hanging, config: impatientConfig });
  const key = await app.makeKey('store-1');
  for (const afterWait of [false, true]) {
    hangs = false;
    const { response } = await waitFor(app, key, Number(afterWait));
    await delay(2 * impatientConfig.requestTimeoutMs);
    assert.equal(app.changeWatcher.waiting, 1);
    hangs = afterWait;
    await record(recordingBeside(app), [pending('store-1', `r${afterWait}`)]);
    const { status, body } = await response;
    assert.deepEqual([status, body.code], afterWait ? [503, 'unavailable'] : [200, undefined]);
  }
  hangs = true;
  assert.equal((await app.send(`${CHANGES}?wait=30`, { key })).status, 503);
});

test('waiting again and again on one connection leaves no listeners on it', async (t) => {
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const { open, sockets } = await listen(t, app.server);
  const caller = open();
  const store = recordingBeside(app);
  const counts: number[] = [];
  for (let after = 0; after < 15; after++) {
    caller.write(
      `GET ${CHANGES}?wait=30&after=${after} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    await untilWaiting(app, 1);
    await record(store, [pending('store-1', `r${after}`)]);
    await readUntil(caller, new RegExp(`"headSequence":${after + 1}`));
    const [socket] = sockets;
    counts.push(socket?.eventNames().reduce((sum, name) => sum + socket.listenerCount(name), 0) ?? 0);
  }
  assert.equal(new Set(counts.slice(1)).size, 1, counts.join());
});

test('the metrics count waiting callers and changes, and have the delay of wake-ups', async () => {
  const names = ['transactions_changes_returned_total', 'transactions_change_wakeup_seconds_count'];
  const [changes = 0, wakeUps = 0] = await Promise.all(names.map(metric));
  const waitingBefore = await metric('transactions_change_callers_waiting');
  const app = await buildTestApp();
  const key = await app.makeKey('store-1');
  const { response } = await waitFor(app, key);
  assert.equal(await metric('transactions_change_callers_waiting'), waitingBefore + 1);
  await record(recordingBeside(app), [pending('store-1', 'a'), pending('store-1', 'b')]);
  await response;
  assert.equal(await metric('transactions_change_callers_waiting'), waitingBefore);
  assert.deepEqual(await Promise.all(names.map(metric)), [changes + 2, wakeUps + 1]);
});
