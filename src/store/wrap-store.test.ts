import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from './store.ts';
import { wrapStore } from './wrap-store.ts';

test('named calls go through the wrapper, and others to the store', async () => {
  const called: string[] = [];
  const store = {
    ping: async () => void called.push('ping'),
    close: async () => void called.push('close'),
  };
  const names: string[] = [];
  const wrapped = wrapStore(store as Store, ['ping'], (name, call) => {
    names.push(name);
    return call();
  });
  await wrapped.ping();
  await wrapped.close();
  assert.deepEqual([called, names], [['ping', 'close'], ['ping']]);
});
