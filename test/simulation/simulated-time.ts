import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Time goes on in steps of this length. */
export const STEP_MS = 100;

/** Turns of the event loop after which nothing moves any more until time goes on. */
const TURNS = 4;

/** The timers of this thread, held still and moved by hand. */
export class SimulatedTime {
  elapsedMs = 0;

  constructor() {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  }

  /** Lets everything happen that needs no time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  }

  async step(): Promise<void> {
    this.elapsedMs += STEP_MS;
    mock.timers.tick(STEP_MS);
    await this.settle();
  }

  delay(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  /** What still runs comes to rest first: it would meddle with the timers of the next simulation. */
  async end(): Promise<void> {
    for (let count = 0; count < 5; count++) await this.settle();
    mock.timers.reset();
  }
}
