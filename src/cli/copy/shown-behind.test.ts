import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ShownBehind } from './shown-behind.ts';

const behind = (changes: number) => ({ changes, accounts: changes, seconds: changes / 10 });

function shownOf(...rounds: [atMs: number, round: ReturnType<typeof behind>][]) {
  const shown = new ShownBehind(1000);
  return rounds.map(([atMs, round]) => shown.next(round, atMs)).filter((one) => one !== undefined);
}

describe('the lines of a copy that follows', () => {
  test('show at most one round in their time', () => {
    const shown = shownOf([0, behind(1)], [500, behind(2)], [1000, behind(1)], [1999, behind(1)]);
    assert.deepEqual(shown, [behind(1), behind(2)]);
  });

  test('show a source that records nothing once', () => {
    const shown = shownOf([0, behind(0)], [1000, behind(0)], [2000, behind(0)]);
    assert.deepEqual(shown, [behind(0)]);
  });

  test('show a burst that came right after a line, and then that nothing is behind', () => {
    const rounds = [0, 30, 20, 0, 0, 0, 0].map(behind);
    const shown = shownOf(...rounds.map((round, at): [number, typeof round] => [at * 400, round]));
    assert.deepEqual(shown, [behind(0), behind(30), behind(0)]);
  });
});
