import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Simulated time passes in steps of this length. */
export const STEP_MS = 100;

/** More turns of the event loop than any work needs until it waits for time to pass. */
const MAX_TURNS = 1000;

/** Replaces the timers of this thread: they fire only when `step` lets time pass. */
export class SimulatedTime {
  elapsedMs = 0;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  }

  /** Completes all work that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 1; ; turn++) {
      await nextTurn();
      // Promises are settled at the end of a turn. Work that needs another turn has an immediate.
      if (!process.getActiveResourcesInfo().includes('Immediate')) return;
      assert.ok(turn < MAX_TURNS, 'some work never waits for time');
    }
  }

  async step(): Promise<void> {
    this.elapsedMs += STEP_MS;
    mock.timers.tick(STEP_MS);
    await this.settle();
  }

  delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** Completes running work first, which would otherwise set timers of the next simulation. */
  async end(): Promise<void> {
    for (let count = 0; count < 5; count++) await this.settle();
    mock.timers.reset();
  }
}
