import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToTotals } from './add-to-totals.ts';
import { type ChangeSums, type DaySum, MAX_SUMMED } from './totals.ts';

/** An updater whose steps take a time for each change, and the added ranges. */
function rig(msOfChange: number) {
  const state = { added: 0, nowMs: 0, isStopped: false, steps: [] as number[], pauses: 0 };
  const sum: DaySum = { day: 0, currencyCode: 'EUR', status: 'pending', count: 0, amountMinor: 0n };
  const updater = {
    sumChanges: async (_account: string, after: number, upTo: number) => ({
      sums: [{ ...sum, count: upTo - after, amountMinor: BigInt(after) }],
      lastNonce: upTo,
    }),
    addToTotals: async (account: string, from: number, upTo: number, changes: ChangeSums) => {
      assert.equal(account, 'store-1');
      const sums = [{ ...sum, count: upTo - from, amountMinor: BigInt(from) }];
      assert.deepEqual(changes, { sums, lastNonce: upTo });
      if (from !== state.added) return false;
      state.added = upTo;
      state.nowMs += (upTo - from) * msOfChange;
      state.steps.push(upTo - from);
      return true;
    },
  };
  const add = (from: number, upTo: number) =>
    addToTotals(
      updater,
      'store-1',
      { from, upTo },
      {
        isStopped: () => state.isStopped,
        monotonicMs: () => state.nowMs,
        pause: async () => {
          state.pauses++;
        },
      },
    );
  return { state, add };
}

test('all changes are added in steps, with a pause after each', async () => {
  const { state, add } = rig(0.001);
  assert.equal(await add(0, 20_000), 20_000);
  assert.equal(state.added, 20_000);
  assert.equal(state.pauses, state.steps.length);
  assert.deepEqual(state.steps.slice(0, 4), [250, 500, 1000, 2000]);
  assert.ok(Math.max(...state.steps) <= MAX_SUMMED);
});

test('a step becomes as small as its time requires', async () => {
  const { state, add } = rig(1);
  await add(0, 1000);
  assert.deepEqual(state.steps.slice(0, 3), [250, 20, 20]);
});

test('it ends after the step during which it is stopped', async () => {
  const { state, add } = rig(0.001);
  const adding = add(0, 20_000);
  state.isStopped = true;
  assert.equal(await adding, 250);
});

test('it ends if another instance has added changes meanwhile', async () => {
  const { state, add } = rig(0.001);
  state.added = 100;
  assert.equal(await add(0, 1000), 0);
  assert.deepEqual([state.added, state.pauses], [100, 0]);
});
