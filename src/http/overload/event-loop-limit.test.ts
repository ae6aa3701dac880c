import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventLoopLimit } from './event-loop-limit.ts';

/** EventLoopLimit of an event loop whose requests each take some time. */
function turnsOf() {
  let nowMs = 0;
  let endTurn = () => {};
  const eventLoop = new EventLoopLimit(
    () => nowMs,
    (done) => {
      endTurn = done;
    },
  );
  return {
    /** How many of a turn's requests are answered. */
    turn: (requests: number, millisecondsEach: number) => {
      let answered = 0;
      for (let count = 0; count < requests; count++) {
        if (!eventLoop.admits(nowMs)) continue;
        answered++;
        nowMs += millisecondsEach;
      }
      endTurn();
      return answered;
    },
  };
}

test('a burst is answered whole', () => {
  assert.equal(turnsOf().turn(900, 0.1), 900);
});

test('a line that stands is answered for 20 ms in each turn after the first, and the rest of it is refused', () => {
  const { turn } = turnsOf();
  assert.equal(turn(5000, 0.1), 1001);
  assert.equal(turn(5000, 0.1), 201);
  assert.equal(turn(5000, 0.1), 201);
});

test('after a turn within its time, a burst is answered again', () => {
  const { turn } = turnsOf();
  turn(5000, 0.1);
  assert.equal(turn(100, 0.1), 100);
  assert.equal(turn(900, 0.1), 900);
});

test('64 requests are answered in any turn, however slow they are', () => {
  const { turn } = turnsOf();
  assert.equal(turn(100, 50), 64);
  assert.equal(turn(64, 50), 64);
});
