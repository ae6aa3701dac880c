/** Lets the exports of a process take turns: in each turn of the event loop, one of them works. */
export class ExportTurns {
  readonly #schedule: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];

  /** `schedule` calls back in the next turn of the event loop, after what has arrived: setImmediate. */
  constructor(schedule: (callback: () => void) => void) {
    this.#schedule = schedule;
  }

  readonly next = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#schedule(this.#release);
    });

  readonly #release = (): void => {
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule(this.#release);
  };
}
