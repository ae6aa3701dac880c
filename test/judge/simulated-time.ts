import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';

export const STEP_MS = 100;

const MAX_TURNS = 10_000;

export class SimulatedTime {
  elapsedMs = 0;
  /** Functions that start work in threads or on files. They run one at a time, after all other work. */
  readonly #waiting: (() => void)[] = [];
  #release = () => {};

  constructor() {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  }

  async settle(): Promise<void> {
    for (let turn = 1; ; turn++) {
      await nextTurn();
      assert.ok(turn < MAX_TURNS, 'some work never waits for time');
      // A pending setImmediate means that some work still goes on, so the time must not move yet.
      if (process.getActiveResourcesInfo().includes('Immediate')) continue;
      const begin = this.#waiting.shift();
      if (begin === undefined) return;
      const ended = new Promise<void>((resolve) => {
        this.#release = resolve;
      });
      begin();
      await ended;
      turn = 0;
    }
  }

  async step(): Promise<void> {
    this.elapsedMs += STEP_MS;
    mock.timers.tick(STEP_MS);
    await this.settle();
  }

  async passUntil<Done>(work: Promise<Done>, longestMs: number): Promise<Done> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => {});
    await this.settle();
    while (!isDone) {
      assert.ok(this.elapsedMs < longestMs, 'a request was never answered');
      await this.step();
    }
    return done;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms));
  }

  async frozen<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#turn();
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  async thawed(ms: number): Promise<void> {
    this.#release();
    await this.delay(ms);
    await this.#turn();
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async end(): Promise<void> {
    for (let count = 0; count < 5; count++) await this.settle();
    mock.timers.reset();
  }
}
