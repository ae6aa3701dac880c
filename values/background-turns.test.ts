import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BackgroundTurns } from './background-turns.ts';

function testTurns() {
  const scheduled: (() => void)[] = [];
  const turns = new BackgroundTurns((callback) => scheduled.push(callback));
  const turn = async () => {
    scheduled.shift()?.();
    await nextTurn();
  };
  return { turns, scheduled, turn };
}

test('in each turn of the event loop, one piece of work runs, in the order of waiting', async () => {
  const { turns, scheduled, turn } = testTurns();
  const worked: string[] = [];
  const working = async (name: string) => {
    for (let count = 0; count < 2; count++) {
      await turns.next();
      worked.push(name);
    }
  };
  const all = [working('a'), working('b'), working('c')];
  for (const expected of ['a', 'b', 'c', 'a', 'b', 'c']) {
    assert.equal(scheduled.length, 1);
    await turn();
    assert.equal(worked.at(-1), expected);
  }
  await Promise.all(all);
  assert.deepEqual([worked.length, scheduled.length], [6, 0]);
});

test('turns are busy after a request, until no request has come for some time', async () => {
  const { turns, turn } = testTurns();
  assert.equal(turns.isBusy, false);
  turns.noteRequest();
  assert.equal(turns.isBusy, true);
  let count = 0;
  while (turns.isBusy) {
    const next = turns.next();
    await turn();
    await next;
    count++;
    assert.ok(count <= 10_000);
  }
  assert.ok(count > 100);
});
