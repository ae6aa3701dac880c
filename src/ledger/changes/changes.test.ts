import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { type Change, type ChangeResult, changeId } from './change.ts';
import { listChanges, NotInHistory } from './changes.ts';

const { account: _, ...transaction } = SAMPLE;

const change = (sequence: number): Change => ({
  sequence,
  nonce: 1000 + sequence,
  previousStatus: null,
  recordedAtMs: 0,
  transaction,
});

const list = (headSequence: number, sequences: readonly number[], after: number) => {
  const result: ChangeResult = {
    last: after === 0 || after > headSequence ? undefined : change(after),
    changes: sequences.map(change),
    headSequence,
    floorSequence: 0,
  };
  return listChanges({ listChanges: async () => result }, { account: 'store-1', after, limit: 3 });
};

for (const [name, head, sequences, after] of [
  ['a gap', 9, [1, 3, 4], 0],
  ['a gap at its begin', 9, [2, 3, 4], 0],
  ['a repeated change', 9, [1, 1, 2], 0],
  ['another order', 9, [2, 1, 3], 0],
  ['fewer changes than there are', 9, [1, 2], 0],
  ['no changes although there are', 5, [], 3],
  ['more changes than the limit', 9, [1, 2, 3, 4], 0],
  ['changes beyond the head', 1, [1, 2], 0],
  ['changes after a number beyond the head', 5, [7], 6],
] as const)
  test(`a page with ${name} is an error, never a response`, async () => {
    await assert.rejects(list(head, sequences, after), (error: Error) => {
      assert.ok(!(error instanceof NotInHistory) && !(error instanceof StoreUnavailable));
      assert.match(error.message, /are not complete/);
      return true;
    });
  });

test('a reader whose last change has another id is refused, because a restore replaced that change', async () => {
  const result: ChangeResult = { last: change(3), changes: [], headSequence: 3, floorSequence: 0 };
  const listAfter = (nonce: number) =>
    listChanges(
      { listChanges: async () => result },
      { account: 'store-1', after: 3, afterId: changeId('store-1', { sequence: 3, nonce }), limit: 3 },
    );
  assert.deepEqual((await listAfter(change(3).nonce)).changes, []);
  await assert.rejects(listAfter(1), NotInHistory);
});
