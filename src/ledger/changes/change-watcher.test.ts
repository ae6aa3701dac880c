import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Unavailable } from '../../../values/unavailable.ts';
import { CHECK_INTERVAL_MS, ChangeWatcher, type WaitOptions } from './change-watcher.ts';

const POLL_MS = 3 * CHECK_INTERVAL_MS;

function rig(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
  const heads = new Map<string, number>();
  const state = { nowMs: 0, polls: [] as string[][], failed: 0 };
  let answer = async (): Promise<ReadonlyMap<string, number>> => heads;
  const watcher = new ChangeWatcher({
    reader: {
      readHeads: (accounts) => {
        state.polls.push([...accounts].sort());
        return answer();
      },
    },
    monotonicMs: () => state.nowMs,
    onPollFailed: () => state.failed++,
  });
  t.after(() => watcher.stop());
  const pass = async (milliseconds: number) => {
    for (let passed = 0; passed < milliseconds; passed += CHECK_INTERVAL_MS) {
      state.nowMs += CHECK_INTERVAL_MS;
      t.mock.timers.tick(CHECK_INTERVAL_MS);
      await nextTurn();
    }
  };
  const begin = (account: string, options: Partial<WaitOptions> = {}) => {
    const observation = watcher.observe(account);
    const caller = { observation, end: undefined as string | undefined };
    const waiting = observation.wait({
      after: 0,
      untilMs: state.nowMs + 30_000,
      isAdmitted: () => true,
      ...options,
    });
    const ended = waiting.then((end) => {
      caller.end = end;
      observation.close();
    });
    return Object.assign(caller, { ended });
  };
  const setAnswer = (next: typeof answer) => {
    answer = next;
  };
  return { watcher, heads, state, pass, begin, setAnswer };
}

test("a recording of this process wakes its own account's callers at once, and no others", async (t) => {
  const { watcher, begin, state } = rig(t);
  const [mine, mineToo, other] = [begin('store-1'), begin('store-1'), begin('store-2')];
  watcher.noteRecorded('store-1');
  await Promise.all([mine.ended, mineToo.ended]);
  assert.deepEqual([mine.end, mineToo.end, other.end], ['change', 'change', undefined]);
  assert.equal(watcher.waiting, 1);
  assert.deepEqual(state.polls, []);
});

test('a recording between the read and the wait ends the wait at once', async (t) => {
  const { watcher, state } = rig(t);
  const observation = watcher.observe('store-1');
  state.nowMs = 7;
  watcher.noteRecorded('store-1');
  const options = { after: 0, untilMs: 30_000, isAdmitted: () => true };
  assert.equal(await observation.wait(options), 'change');
  assert.equal(observation.recordedAtMs, 7);
  observation.clear();
  const waiting = observation.wait(options);
  assert.equal(watcher.waiting, 1);
  observation.close();
  assert.equal(await waiting, 'gone');
});

test('one query for all accounts finds the changes of other processes, and wakes the callers that do not know them', async (t) => {
  const { heads, begin, pass, state } = rig(t);
  const behind = Array.from({ length: 10 }, () => begin('store-1', { after: 4 }));
  const current = begin('store-1', { after: 5 });
  const other = begin('store-2', { after: 0 });
  heads.set('store-1', 5);
  await pass(POLL_MS);
  assert.deepEqual(state.polls, [['store-1', 'store-2']]);
  for (const { end } of behind) assert.equal(end, 'change');
  assert.deepEqual([current.end, other.end], [undefined, undefined]);
  heads.set('store-2', 1);
  await pass(POLL_MS);
  assert.deepEqual([current.end, other.end], [undefined, 'change']);
});

test('the next poll begins after the previous one ended or was abandoned', async (t) => {
  const { begin, pass, state, setAnswer, heads } = rig(t);
  const caller = begin('store-1');
  const first = Promise.withResolvers<ReadonlyMap<string, number>>();
  setAnswer(() => first.promise);
  await pass(5 * POLL_MS);
  assert.equal(state.polls.length, 1);
  first.resolve(heads);
  await pass(POLL_MS);
  assert.equal(state.polls.length, 2);
  setAnswer(() => new Promise(() => {}));
  await pass(20 * POLL_MS);
  assert.ok(state.polls.length > 2, 'a poll without a result prevents the next one');
  assert.equal(caller.end, undefined);
});

test('a failed poll is repeated, reported once, and ends no wait', async (t) => {
  const { begin, pass, state, setAnswer, heads } = rig(t);
  const caller = begin('store-1');
  setAnswer(() => Promise.reject(new Error('the database is away')));
  await pass(5 * POLL_MS);
  assert.deepEqual([state.polls.length, state.failed, caller.end], [5, 1, undefined]);
  heads.set('store-1', 1);
  setAnswer(async () => heads);
  await pass(POLL_MS);
  assert.equal(caller.end, 'change');
  begin('store-1', { after: 1 });
  setAnswer(() => Promise.reject(new Error('the database is away again')));
  await pass(2 * POLL_MS);
  assert.equal(state.failed, 2);
});

test('a wait ends at its time limit, not before', async (t) => {
  const { begin, pass } = rig(t);
  const [short, long] = [begin('store-1', { untilMs: 1000 }), begin('store-1', { untilMs: 30_000 })];
  await pass(900);
  assert.equal(short.end, undefined);
  await pass(100);
  assert.deepEqual([short.end, long.end], ['timeout', undefined]);
  await pass(28_900);
  assert.equal(long.end, undefined);
  await pass(100);
  assert.equal(long.end, 'timeout');
});

test('a wait ends at the next check after its key is refused, and other waits continue', async (t) => {
  const { begin, pass } = rig(t);
  let isAdmitted = true;
  const [revoked, other] = [begin('store-1', { isAdmitted: () => isAdmitted }), begin('store-1')];
  await pass(1000);
  assert.equal(revoked.end, undefined);
  isAdmitted = false;
  await pass(CHECK_INTERVAL_MS);
  assert.deepEqual([revoked.end, other.end], ['refused', undefined]);
});

test('the number of waiting callers is limited, in all and for each account', async (t) => {
  const { begin, watcher } = rig(t);
  const first = begin('a');
  for (let callers = 1; callers < 1000; callers++) begin('a');
  await assert.rejects(Promise.race([begin('a').ended, nextTurn()]), { code: 'too_many_waiting' });
  first.observation.close();
  await first.ended;
  begin('a');
  let refused = 0;
  for (const account of ['b', 'c', 'd', 'e'])
    for (let callers = 0; callers < 1000; callers++)
      begin(account).ended.catch((error) => {
        assert.ok(error instanceof Unavailable);
        refused++;
      });
  await nextTurn();
  assert.ok(refused > 0 && watcher.waiting + refused === 5000, String(refused));
  begin('other');
  assert.equal(watcher.waiting + refused, 5001);
});
