const BUSY_TURNS_AFTER_REQUEST = 1000;

export interface Turns {
  next(): Promise<void>;
  readonly isBusy: boolean;
}

/** Background work waits in `next`. Each event loop iteration resumes one waiter, so requests wait less. */
export class BackgroundTurns implements Turns {
  readonly #schedule: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #busyTurns = 0;

  constructor(schedule: (callback: () => void) => void) {
    this.#schedule = schedule;
  }

  noteRequest(): void {
    this.#busyTurns = BUSY_TURNS_AFTER_REQUEST;
  }

  get isBusy(): boolean {
    return this.#busyTurns > 0;
  }

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#schedule(this.#release);
    });
  }

  readonly #release = (): void => {
    if (this.#busyTurns > 0) this.#busyTurns--;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule(this.#release);
  };
}
