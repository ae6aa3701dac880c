import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { awaitChanges, type WaitingCaller } from './await-changes.ts';
import type { ChangeQuery, ChangeResult } from './change.ts';
import { CHECK_INTERVAL_MS, ChangeWatcher } from './change-watcher.ts';

const { account: _, ...transaction } = SAMPLE;

const simulated = new WeakSet<TestContext>();

/** An account with changes, one caller of its feed, and the events between them. */
function rig(t: TestContext) {
  if (!simulated.has(t)) t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  simulated.add(t);
  const state = { nowMs: 0, head: 2, reads: 0, isAdmitted: true, isGone: false, leave: () => {} };
  const events: string[] = [];
  /** Called after each read, before the result is used. */
  let afterRead = () => {};
  const reader = {
    listChanges: async ({ after, limit }: ChangeQuery): Promise<ChangeResult> => {
      state.reads++;
      const { head } = state;
      const sequences = Array.from({ length: Math.max(0, head - after) }, (_, index) => after + 1 + index);
      await nextTurn();
      afterRead();
      const change = (sequence: number) => ({
        sequence,
        nonce: sequence,
        previousStatus: null,
        recordedAtMs: 0,
        transaction,
      });
      return {
        last: after === 0 || after > head ? undefined : change(after),
        changes: sequences.slice(0, limit).map(change),
        headSequence: head,
        floorSequence: 0,
      };
    },
    readHeads: async () => new Map([['store-1', state.head]]),
  };
  const watcher = new ChangeWatcher({ reader, monotonicMs: () => state.nowMs });
  t.after(() => watcher.stop());
  const waitBegins = Promise.withResolvers<void>();
  const caller: WaitingCaller = {
    isAdmitted: () => state.isAdmitted,
    whileWaiting: async (wait) => {
      events.push('waits');
      const gone = new AbortController();
      state.leave = () => gone.abort();
      if (state.isGone) state.leave();
      waitBegins.resolve();
      try {
        return await wait(gone.signal);
      } finally {
        events.push('woken');
      }
    },
  };
  const list = (after: number, waitMs = 30_000) =>
    awaitChanges(
      { reader, watcher, monotonicMs: () => state.nowMs },
      { account: 'store-1', after, limit: 10 },
      waitMs,
      caller,
    );
  const record = () => {
    state.head++;
    watcher.noteRecorded('store-1');
  };
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += CHECK_INTERVAL_MS) {
      state.nowMs += CHECK_INTERVAL_MS;
      t.mock.timers.tick(CHECK_INTERVAL_MS);
      await nextTurn();
    }
  };
  const setAfterRead = (next: () => void) => {
    afterRead = next;
  };
  return { state, events, watcher, waits: waitBegins.promise, list, record, pass, setAfterRead };
}

const sequencesOf = ({ changes }: ChangeResult) => changes.map(({ sequence }) => sequence);

test('a wake-up for a change that the caller has already lets it wait again, up to its time limit', async (t) => {
  const { list, watcher, waits, pass, events, state } = rig(t);
  const listed = list(2, 1000);
  await waits;
  watcher.noteRecorded('store-1');
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.deepEqual([watcher.waiting, state.reads], [1, 2]);
  await pass(1000);
  const result = await listed;
  assert.deepEqual([sequencesOf(result), result.headSequence], [[], 2]);
  assert.deepEqual(events.filter((event) => event === 'waits').length, 2);
});

test('a caller that is gone before its wait begins does not wait, alone or with another caller', async (t) => {
  const alone = rig(t);
  alone.state.isGone = true;
  assert.deepEqual(sequencesOf(await alone.list(2)), []);
  assert.equal(alone.watcher.waiting, 0);

  const { list, waits, watcher, state } = rig(t);
  const other = list(2);
  await waits;
  state.isGone = true;
  assert.deepEqual(sequencesOf(await list(2)), []);
  assert.equal(watcher.waiting, 1);
  watcher.stop();
  await other;
});

test('at its time limit the caller gets what a read then returns', async (t) => {
  const { list, waits, pass, state } = rig(t);
  const listed = list(2, 100);
  await waits;
  state.head = 3;
  await pass(100);
  assert.deepEqual(sequencesOf(await listed), [3]);
});

test('a stop answers with no changes, without another read', async (t) => {
  const { list, waits, watcher, state } = rig(t);
  const listed = list(2);
  await waits;
  watcher.stop();
  assert.deepEqual(sequencesOf(await listed), []);
  assert.equal(state.reads, 1);
});
