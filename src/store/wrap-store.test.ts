import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from './store.ts';
import { wrapStore } from './wrap-store.ts';

class CountingStore {
  pings = 0;
  #closed = false;
  async ping() {
    this.pings++;
  }
  async close() {
    this.#closed = true;
    return this.#closed;
  }
}

test('named calls go through the wrapper, others to the store, each on the store itself', async () => {
  const store = new CountingStore();
  const names: string[] = [];
  const wrapped = wrapStore(store as unknown as Store, ['ping'], (name, call) => {
    names.push(name);
    return call();
  });
  await wrapped.ping();
  await wrapped.close();
  assert.deepEqual([store.pings, names], [1, ['ping']]);
  assert.equal(wrapped.connectionUse, undefined);
});
