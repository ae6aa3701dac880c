import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { awaitChanges, type WaitingCaller } from './await-changes.ts';
import type { ChangeQuery, ChangeResult } from './change.ts';
import { CHECK_INTERVAL_MS, ChangeWatcher, TooManyWaiting } from './change-watcher.ts';
import { NotInHistory } from './list-changes.ts';

const { account: _, ...transaction } = SAMPLE;

/** The tests whose timers are simulated. */
const simulated = new WeakSet<TestContext>();

/** An account with changes, one caller of its feed, and the events between them. */
function rig(t: TestContext) {
  if (!simulated.has(t)) t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  simulated.add(t);
  const state = { nowMs: 0, head: 2, reads: 0, isAdmitted: true, isGone: false, leave: () => {} };
  const events: string[] = [];
  /** Is called after each read, before its result is used. */
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

test('changes that exist are returned without a wait', async (t) => {
  const { list, events, watcher, state } = rig(t);
  const result = await list(0);
  assert.deepEqual([sequencesOf(result), result.recordedAtMs], [[1, 2], undefined]);
  assert.deepEqual([events, watcher.waiting, state.reads], [[], 0, 1]);
});

test('a recording of this process ends the wait with its change and its time', async (t) => {
  const { list, record, waits, events, pass, watcher } = rig(t);
  const listed = list(2);
  await waits;
  await pass(500);
  record();
  const result = await listed;
  assert.deepEqual([sequencesOf(result), result.headSequence], [[3], 3]);
  assert.equal(result.recordedAtMs, 500);
  assert.deepEqual(events, ['waits', 'woken']);
  assert.equal(watcher.waiting, 0);
});

test('a recording of another process ends the wait at the next poll', async (t) => {
  const { list, waits, pass, state } = rig(t);
  const listed = list(2);
  await waits;
  state.head = 4;
  await pass(400);
  const result = await listed;
  assert.deepEqual([sequencesOf(result), result.recordedAtMs], [[3, 4], undefined]);
});

test('a recording during the first read ends the wait', async (t) => {
  const { list, record, setAfterRead } = rig(t);
  setAfterRead(() => {
    setAfterRead(() => {});
    record();
  });
  assert.deepEqual(sequencesOf(await list(2)), [3]);
});

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

test('a caller that is gone no longer waits and reads nothing', async (t) => {
  const { list, waits, watcher, state } = rig(t);
  const listed = list(2);
  await waits;
  state.leave();
  assert.deepEqual(sequencesOf(await listed), []);
  assert.deepEqual([watcher.waiting, state.reads], [0, 1]);
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

test('the wait of a caller whose key is revoked ends without a read', async (t) => {
  const { list, waits, pass, state } = rig(t);
  const listed = list(2);
  await waits;
  state.isAdmitted = false;
  await pass(CHECK_INTERVAL_MS);
  assert.deepEqual([sequencesOf(await listed), state.reads], [[], 1]);
});

test('a head that falls below the number of the caller is NotInHistory', async (t) => {
  const { list, waits, watcher, state } = rig(t);
  const listed = list(2);
  await waits;
  state.head = 1;
  watcher.noteRecorded('store-1');
  await assert.rejects(listed, NotInHistory);
  assert.equal(watcher.waiting, 0);
});

test('one caller more than are allowed is refused, and its wait is ended', async (t) => {
  const { list, events, watcher } = rig(t);
  const full = new ChangeWatcher({
    reader: { readHeads: async () => new Map() },
    monotonicMs: () => 0,
    limits: { all: 0, ofAccount: 0 },
  });
  t.after(() => full.stop());
  watcher.observe = (account) => full.observe(account);
  await assert.rejects(list(2), TooManyWaiting);
  assert.deepEqual(events, ['waits', 'woken']);
});
