import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WriteName } from './calls.ts';
import { WriteQueue } from './write-queue.ts';
import { type NamedWrite, writeOf } from './writer.ts';

/** The numbers of the writes of each commit, with writes numbered from 0. */
function commits(...names: WriteName[]): number[][] {
  const queue = new WriteQueue<NamedWrite & { number: number }>();
  for (const [number, name] of names.entries()) queue.add({ ...writeOf(name, [`store-${number}`]), number });
  const taken: number[][] = [];
  for (let next = queue.take(); next.length > 0; next = queue.take())
    taken.push(next.map(({ number }) => number));
  return taken;
}

test('16 additions to totals share a commit, those in front of a recording and those behind it', () => {
  const adding = Array<WriteName>(18).fill('storeSeals');
  assert.deepEqual(
    commits(...adding, 'record', 'record', 'storeSeals', 'storeSeals').map(({ length }) => length),
    [16, 2, 1, 1, 2],
  );
  assert.deepEqual(commits('record', 'storeSeals', 'record'), [[0], [1], [2]]);
});
