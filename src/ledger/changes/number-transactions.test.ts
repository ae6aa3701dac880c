import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberTransactions } from './number-transactions.ts';

/** A store with some transactions without numbers, of which each call numbers at most 1,000. */
function rig(unnumbered: number) {
  const events: (string | number)[] = [];
  const state = { unnumbered, isStopped: false, events };
  const numberer = {
    numberTransactions: async () => {
      const count = Math.min(1000, state.unnumbered);
      state.unnumbered -= count;
      return count;
    },
  };
  const run = () =>
    numberTransactions(numberer, {
      isStopped: () => state.isStopped,
      onProgress: (numbered) => events.push(numbered),
      pause: async () => {
        events.push('pause');
        if (events.length === 4) state.isStopped = state.unnumbered > 10_000;
      },
    });
  return { state, run };
}

test('all transactions are numbered, with a pause after each part', async () => {
  const { state, run } = rig(2500);
  assert.equal(await run(), 2500);
  assert.deepEqual(state.events, [1000, 'pause', 2000, 'pause', 2500, 'pause']);
  assert.equal(await run(), 0);
});

test('it ends after the part during which it is stopped, and continues later', async () => {
  const { state, run } = rig(15_000);
  assert.equal(await run(), 2000);
  state.isStopped = false;
  assert.equal(await run(), 13_000);
});

test('a failure of the store is its error', async () => {
  const failure = new Error('the database is away');
  const numbering = numberTransactions(
    { numberTransactions: () => Promise.reject(failure) },
    { isStopped: () => false, onProgress: () => {}, pause: async () => {} },
  );
  await assert.rejects(numbering, failure);
});
