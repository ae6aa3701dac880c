import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addToTotals } from './add-to-totals.ts';
import { type ChangeSums, type DaySum, MAX_SUMMED } from './totals.ts';

/** An updater whose reads take a time for each change, and whose writes take a time each; with the ranges that were read and added. */
function rig(msOfChange: number, { writeMs = 0, changesOfDay = Number.POSITIVE_INFINITY } = {}) {
  const state = {
    added: 0,
    nowMs: 0,
    isStopped: false,
    writeMs,
    reads: [] as [after: number, upTo: number][],
    steps: [] as number[],
    pauses: 0,
  };
  const dayOf = (change: number) => Math.floor(change / changesOfDay);
  const sumsOf = (after: number, upTo: number): DaySum[] => {
    const byDay = new Map<number, number>();
    for (let change = after + 1; change <= upTo; change++)
      byDay.set(dayOf(change), (byDay.get(dayOf(change)) ?? 0) + 1);
    return [...byDay].map(([day, count]) => ({
      day,
      currencyCode: 'EUR',
      status: 'pending',
      count,
      amountMinor: BigInt(count),
    }));
  };
  const updater = {
    sumChanges: async (_account: string, after: number, upTo: number) => {
      assert.ok(upTo - after <= MAX_SUMMED);
      state.reads.push([after, upTo]);
      state.nowMs += (upTo - after) * msOfChange;
      return { sums: sumsOf(after, upTo), lastNonce: upTo };
    },
    addToTotals: async (account: string, from: number, upTo: number, changes: ChangeSums) => {
      assert.equal(account, 'store-1');
      assert.deepEqual(changes, { sums: sumsOf(from, upTo), lastNonce: upTo });
      if (from !== state.added) return false;
      state.added = upTo;
      state.nowMs += state.writeMs;
      state.steps.push(upTo - from);
      return true;
    },
  };
  const add = (from: number, upTo: number, onPause = () => {}) =>
    addToTotals(
      updater,
      'store-1',
      { from, upTo },
      {
        isStopped: () => state.isStopped,
        monotonicMs: () => state.nowMs,
        pause: async () => {
          state.pauses++;
          onPause();
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
  assert.deepEqual(state.steps.slice(0, 5), [250, 500, 1000, 2000, 2000]);
});

test('a read becomes as small as its time requires', async () => {
  const { state, add } = rig(1);
  await add(0, 1000);
  assert.deepEqual(state.steps.slice(0, 3), [250, 20, 20]);
});

test('a write that waits adds what several reads have summed, the last changes first, and those after it fewer again', async () => {
  const { state, add } = rig(0.001, { writeMs: 50 });
  assert.equal(await add(0, 300_000), 300_000);
  assert.deepEqual(state.steps.slice(0, 7), [250, 1000, 4000, 16_000, 32_000, 64_000, 32_000]);
  assert.deepEqual(state.reads.slice(0, 3), [
    [0, 250],
    [750, 1250],
    [250, 750],
  ]);
  assert.equal(state.pauses, state.reads.length);

  state.steps = [];
  await add(300_000, 400_000, () => {
    if (state.steps.length === 3) state.writeMs = 0;
  });
  assert.deepEqual(state.steps.slice(0, 6), [250, 1000, 4000, 16_000, 8000, 4000]);
});

test('many sums are added in small steps: recordings wait for their write', async () => {
  const { state, add } = rig(0.001, { writeMs: 50, changesOfDay: 1 });
  await add(0, 20_000);
  assert.ok(state.steps.slice(5).every((step) => step <= 2000));
});

test('it ends after the step during which it is stopped', async () => {
  const { state, add } = rig(0.001);
  const adding = add(0, 20_000);
  state.isStopped = true;
  assert.equal(await adding, 250);
});

test('after a stop between two reads, neither is added', async () => {
  const { state, add } = rig(0.001, { writeMs: 50 });
  const added = await add(0, 20_000, () => {
    state.isStopped = state.reads.length === 2;
  });
  assert.equal(added, 250);
  assert.deepEqual(state.steps, [250]);
});

test('it ends if another instance has added changes meanwhile', async () => {
  const { state, add } = rig(0.001);
  state.added = 100;
  assert.equal(await add(0, 1000), 0);
  assert.deepEqual([state.added, state.pauses], [100, 0]);
});
