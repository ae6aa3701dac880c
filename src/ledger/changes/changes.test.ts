import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE } from '../../../test/rig/data/transactions.ts';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import type { Change, ChangeQuery, ChangeResult } from './change.ts';
import { listChanges, NotInHistory } from './changes.ts';

const { account: _, ...transaction } = SAMPLE;

const change = (sequence: number): Change => ({
  sequence,
  nonce: 1000 + sequence,
  previousStatus: null,
  recordedAtMs: 0,
  transaction,
});

const readerOf = (headSequence: number, sequences: readonly number[]) => ({
  listChanges: async ({ after }: ChangeQuery): Promise<ChangeResult> => ({
    last: after === 0 || after > headSequence ? undefined : change(after),
    changes: sequences.map(change),
    headSequence,
    floorSequence: 0,
  }),
});

const list = (headSequence: number, sequences: readonly number[], after = 0, limit = 3) =>
  listChanges(readerOf(headSequence, sequences), { account: 'store-1', after, limit });

test('a page of consecutive changes is returned, full, partial or empty', async () => {
  for (const [head, sequences, after] of [
    [9, [1, 2, 3], 0],
    [5, [4, 5], 3],
    [5, [], 5],
    [0, [], 0],
  ] as const) {
    const { changes, headSequence } = await list(head, sequences, after);
    assert.deepEqual(
      changes.map(({ sequence }) => sequence),
      sequences,
    );
    assert.equal(headSequence, head);
  }
});

const INCOMPLETE: [name: string, head: number, sequences: number[], after: number][] = [
  ['a gap', 9, [1, 3, 4], 0],
  ['a gap at its begin', 9, [2, 3, 4], 0],
  ['a repeated change', 9, [1, 1, 2], 0],
  ['another order', 9, [2, 1, 3], 0],
  ['fewer changes than there are', 9, [1, 2], 0],
  ['no changes although there are', 5, [], 3],
  ['more changes than the limit', 9, [1, 2, 3, 4], 0],
  ['changes beyond the head', 1, [1, 2], 0],
  ['changes after a number beyond the head', 5, [7], 6],
];

for (const [name, head, sequences, after] of INCOMPLETE) {
  test(`a page with ${name} is an error, never a response`, async () => {
    await assert.rejects(list(head, sequences, after), (error: Error) => {
      assert.ok(!(error instanceof NotInHistory) && !(error instanceof StoreUnavailable));
      assert.match(error.message, /are not complete/);
      return true;
    });
  });
}

test('a number beyond the head is sequence_ahead, with the head in its text', async () => {
  await assert.rejects(list(5, [], 6), (error: Error) => {
    assert.ok(error instanceof NotInHistory);
    assert.equal(error.code, 'sequence_ahead');
    assert.match(error.message, /^after is 6, .* the number 5\. .* restored from a backup/);
    return true;
  });
});
