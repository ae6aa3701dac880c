import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeclaredAccounts } from './account.ts';

function rig() {
  const existing = new Set<string>();
  const state = { nowMs: 0, lookUps: 0 };
  const lister = {
    listAccounts: async ({ prefix }: { prefix: string | null }, limit: number) => {
      state.lookUps++;
      const found = [...existing].filter((account) => account.startsWith(prefix ?? '')).sort();
      return found.slice(0, limit).map((account) => ({ account, headSequence: 0, headId: null }));
    },
  };
  const accounts = new DeclaredAccounts(lister, () => state.nowMs);
  const undeclared = async (...names: string[]) => [...(await accounts.undeclared(names))];
  return { existing, state, undeclared };
}

test('an account is not declared only because the name of a declared one begins with its name', async () => {
  const { existing, undeclared } = rig();
  existing.add('store-77').add('store-8').add('store-80');
  assert.deepEqual(await undeclared('store-7', 'store-77', 'store-8', 'store-800'), ['store-7', 'store-800']);
});

test('an account that becomes declared is accepted at once, and is then not looked up again', async () => {
  const { existing, state, undeclared } = rig();
  assert.deepEqual(await undeclared('a'), ['a']);
  existing.add('a');
  assert.deepEqual(await undeclared('a', 'a'), []);
  assert.deepEqual(await undeclared('a'), []);
  assert.equal(state.lookUps, 2);
});

test('an erased account is refused after a minute at the latest', async () => {
  const { existing, state, undeclared } = rig();
  existing.add('a');
  assert.deepEqual(await undeclared('a'), []);
  existing.clear();
  state.nowMs = 59_999;
  assert.deepEqual(await undeclared('a'), []);
  state.nowMs = 60_000;
  assert.deepEqual(await undeclared('a'), ['a']);
});
