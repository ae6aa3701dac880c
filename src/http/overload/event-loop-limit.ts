/** How long one turn of the event loop answers what it finds waiting. A turn of a busy second takes 1 to 5 ms. */
const TURN_MS = 20;
/** A turn after quieter ones may take so long: a burst is answered, a line that stands is not. */
const BURST_MS = 100;
/** A turn answers so many in any case: fewer make no line, however long the machine was busy with something else. */
const LEAST_IN_TURN = 64;

/**
 * Knows how long the current turn of the event loop has been answering requests. All that it finds on its
 * connections was there when the turn began, and has waited since then.
 */
export class EventLoopLimit {
  readonly #monotonicMs: () => number;
  readonly #afterTurn: (done: () => void) => void;
  #beganAtMs: number | undefined;
  #answered = 0;
  #allowedMs = BURST_MS;

  constructor(monotonicMs: () => number, afterTurn: (done: () => void) => void) {
    this.#monotonicMs = monotonicMs;
    this.#afterTurn = afterTurn;
  }

  /** Whether one more request is answered in the current turn, or the turn has taken too long for that. */
  admits(nowMs: number): boolean {
    if (this.#beganAtMs === undefined) {
      this.#beganAtMs = nowMs;
      this.#answered = 0;
      this.#afterTurn(() => this.#end());
    }
    if (this.#answered >= LEAST_IN_TURN && nowMs - this.#beganAtMs > this.#allowedMs) return false;
    this.#answered++;
    return true;
  }

  #end(): void {
    const tookMs = this.#monotonicMs() - (this.#beganAtMs as number);
    this.#allowedMs = tookMs > TURN_MS ? TURN_MS : BURST_MS;
    this.#beganAtMs = undefined;
  }
}
