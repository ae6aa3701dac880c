import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExportTurns } from './export-turns.ts';

/** Turns of an event loop that the test moves on. */
function testTurns() {
  const scheduled: (() => void)[] = [];
  const turns = new ExportTurns((callback) => scheduled.push(callback));
  const turn = async () => {
    scheduled.shift()?.();
    await nextTurn();
  };
  return { turns, scheduled, turn };
}

test('in each turn of the event loop one export works, in the order in which they wait', async () => {
  const { turns, scheduled, turn } = testTurns();
  const worked: string[] = [];
  const exporting = async (name: string) => {
    for (let count = 0; count < 2; count++) {
      await turns.next();
      worked.push(name);
    }
  };
  const all = [exporting('a'), exporting('b'), exporting('c')];
  for (const expected of ['a', 'b', 'c', 'a', 'b', 'c']) {
    assert.equal(scheduled.length, 1);
    await turn();
    assert.equal(worked.at(-1), expected);
  }
  await Promise.all(all);
  assert.deepEqual([worked.length, scheduled.length], [6, 0]);
});

test('turns are short after a request, and long again when none has come for some time', async () => {
  const { turns, turn } = testTurns();
  const longRows = turns.rows;
  turns.noteRequest();
  const shortRows = turns.rows;
  assert.ok(shortRows < longRows / 4, `${shortRows} and ${longRows} rows`);
  let count = 0;
  while (turns.rows === shortRows) {
    const next = turns.next();
    await turn();
    await next;
    count++;
    assert.ok(count <= 10_000);
  }
  assert.equal(turns.rows, longRows);
  assert.ok(count > 100);
});
