/** Transactions that an export reads and formats in its turn while other requests come: less than a tenth of a millisecond. */
const BUSY_ROWS = 20;
/** The same while none comes. Longer turns cost the export less. */
const IDLE_ROWS = 200;
/** After a request, others are expected for so many turns: less than a tenth of a second. */
const BUSY_TURNS = 1000;

/** Lets the exports of a process take turns: in each turn of the event loop, one of them works for a short time. */
export class ExportTurns {
  readonly #schedule: (callback: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  #busyTurns = 0;

  /** `schedule` calls back in the next turn of the event loop, after what has arrived: setImmediate. */
  constructor(schedule: (callback: () => void) => void) {
    this.#schedule = schedule;
  }

  /** A request has come. */
  noteRequest(): void {
    this.#busyTurns = BUSY_TURNS;
  }

  /** Whether others are expected now. */
  get isBusy(): boolean {
    return this.#busyTurns > 0;
  }

  /** How many transactions an export can read and format before the next turn. */
  get rows(): number {
    return this.isBusy ? BUSY_ROWS : IDLE_ROWS;
  }

  /** Resolves when other requests, and the other exports, have had a turn. */
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
