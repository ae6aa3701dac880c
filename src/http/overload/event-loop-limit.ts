/** The time for requests in one iteration of the event loop. Under a normal load, an iteration takes 1 to 5 ms. */
const ITERATION_MS = 20;
/** The time for requests in an iteration that follows a shorter one: a burst is answered, a standing queue is not. */
const BURST_MS = 100;
/** Admitted in any iteration: so few are no queue, even if other programs have delayed the process. */
const MIN_ADMITTED = 64;

/**
 * Limits the time that one iteration of the event loop spends on requests. All requests that an iteration finds have
 * waited since it began.
 */
export class EventLoopLimit {
  readonly #monotonicMs: () => number;
  readonly #afterIteration: (callback: () => void) => void;
  #beganAtMs: number | undefined;
  #admitted = 0;
  #limitMs = BURST_MS;

  constructor(monotonicMs: () => number, afterIteration: (callback: () => void) => void) {
    this.#monotonicMs = monotonicMs;
    this.#afterIteration = afterIteration;
  }

  /** Whether the current iteration has time for one more request. */
  admits(nowMs: number): boolean {
    if (this.#beganAtMs === undefined) {
      this.#beganAtMs = nowMs;
      this.#admitted = 0;
      this.#afterIteration(() => this.#end());
    }
    if (this.#admitted >= MIN_ADMITTED && nowMs - this.#beganAtMs > this.#limitMs) return false;
    this.#admitted++;
    return true;
  }

  #end(): void {
    const tookMs = this.#monotonicMs() - (this.#beganAtMs as number);
    this.#limitMs = tookMs > ITERATION_MS ? ITERATION_MS : BURST_MS;
    this.#beganAtMs = undefined;
  }
}
