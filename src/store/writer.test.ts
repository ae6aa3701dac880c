import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NamedWrite } from './writer.ts';
import { WriteQueue } from './writer.ts';

const SEALING: NamedWrite = {
  name: 'runSteps',
  values: [],
  turn: 'stream',
  account: 'store-1',
  isUnsynced: true,
};
const RECORDING: NamedWrite = { ...SEALING, isUnsynced: false };

/** For each commit, the numbers of its writes. Writes are numbered from 0. */
function commits(...writes: NamedWrite[]): number[][] {
  const queue = new WriteQueue<NamedWrite & { number: number }>();
  for (const [number, write] of writes.entries()) queue.add({ ...write, number });
  const taken: number[][] = [];
  for (let next = queue.take(); next.length > 0; next = queue.take())
    taken.push(next.map(({ number }) => number));
  return taken;
}

test('up to 16 consecutive steps of seals share a commit, which no recording shares', () => {
  const sealing = Array<NamedWrite>(18).fill(SEALING);
  assert.deepEqual(
    commits(...sealing, RECORDING, RECORDING, SEALING, SEALING).map(({ length }) => length),
    [16, 2, 1, 1, 2],
  );
  assert.deepEqual(commits(RECORDING, SEALING, RECORDING), [[0], [1], [2]]);
});
