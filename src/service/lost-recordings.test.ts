import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { changeId, type NumberedNonce } from '../ledger/changes/change.ts';
import { LostRecordings } from './lost-recordings.ts';

function rig(t: TestContext) {
  const events = new EventEmitter();
  let reconnected = () => {};
  const state = { lost: new Set<number>(), isDown: false, looks: 0, counted: 0, warnings: 0 };
  const errors: { reference: string; sequence: number; changeId: string }[] = [];
  const lost = new LostRecordings({
    store: {
      onReconnected: (listener) => {
        reconnected = listener;
      },
      findMissingChanges: async (_account: string, changes: readonly NumberedNonce[]) => {
        state.looks++;
        if (state.isDown) throw new Error('the database is down');
        return changes.flatMap(({ nonce }, place) => (state.lost.has(nonce) ? place : []));
      },
    },
    logger: {
      error: (fields: (typeof errors)[number]) => void errors.push(fields),
      warn: () => void state.warnings++,
      flush: () => {},
    } as never,
    others: [],
    metrics: {
      countLostRecordings: (count) => {
        state.counted += count;
      },
    },
    sleep: async (milliseconds, signal) => {
      events.emit('sleeps', milliseconds);
      await Promise.race([once(events, 'wake'), once(signal, 'abort')]);
    },
  });
  lost.start();
  t.after(() => lost.stop());
  const look = async (begin: () => void): Promise<number> => {
    const slept = once(events, 'sleeps');
    begin();
    return (await slept)[0];
  };
  return {
    state,
    errors,
    lost,
    reconnect: () => look(() => reconnected()),
    wake: () => look(() => events.emit('wake')),
  };
}

const note = (lost: LostRecordings, sequence: number, nonce: number, account = 'store-1') =>
  lost.noteChange(account, `r${sequence}`, { sequence, nonce });

test('each recording that is missing after a reconnection is logged once, with its account, reference and id', async (t) => {
  const { state, errors, lost, reconnect, wake } = rig(t);
  for (const sequence of [1, 2, 3]) note(lost, sequence, sequence);
  note(lost, 2, 12, 'store-2');
  assert.equal(state.looks, 0);
  state.lost = new Set([2, 3]);
  await reconnect();
  const expected = [2, 3].map((sequence) => ({
    account: 'store-1',
    reference: `r${sequence}`,
    sequence,
    changeId: changeId('store-1', { sequence, nonce: sequence }),
  }));
  assert.deepEqual(errors, expected);
  assert.equal(state.counted, 2);
  note(lost, 4, 4);
  note(lost, 3, 13);
  state.lost.add(4);
  await wake();
  assert.deepEqual(errors.slice(2), [
    {
      account: 'store-1',
      reference: 'r4',
      sequence: 4,
      changeId: changeId('store-1', { sequence: 4, nonce: 4 }),
    },
  ]);
  assert.equal(state.counted, 3);
});

test('a failed check is repeated, and logged once', async (t) => {
  const { state, errors, lost, reconnect, wake } = rig(t);
  note(lost, 1, 1);
  state.lost = new Set([1]);
  state.isDown = true;
  const retry = await reconnect();
  await wake();
  assert.deepEqual([errors.length, state.warnings], [0, 1]);
  state.isDown = false;
  const pause = await wake();
  assert.equal(errors.length, 1);
  assert.ok(retry < pause);
});

test('the last 10,000 recordings are remembered, and the oldest ones are forgotten', async (t) => {
  const { state, errors, lost, reconnect } = rig(t);
  for (let sequence = 1; sequence <= 10_001; sequence++) note(lost, sequence, sequence);
  state.lost = new Set([1, 2, 10_001]);
  await reconnect();
  assert.deepEqual(errors.map(({ sequence }) => sequence).toSorted(), [10_001, 2]);
});
