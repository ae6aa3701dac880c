/** The work was ended while it waited for its next slice. */
export class WorkEnded extends Error {
  override readonly name = 'WorkEnded';
}

/** Lets long work go on in slices of time, between which it waits. */
export class Slices {
  readonly #monotonicMs: () => number;
  readonly #isStopped: () => boolean;
  #endsAtMs = Number.NEGATIVE_INFINITY;
  #next = Promise.withResolvers<void>();
  #over = Promise.withResolvers<void>();
  #waiting = 0;
  #running = 0;
  #isEnded = false;

  constructor({ monotonicMs, isStopped }: { monotonicMs(): number; isStopped(): boolean }) {
    this.#monotonicMs = monotonicMs;
    this.#isStopped = isStopped;
  }

  /**
   * Does a step of the work: at once during a slice, otherwise in the next one. Steps can run at the same time.
   *
   * Throws: WorkEnded.
   */
  async step<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#monotonicMs() >= this.#endsAtMs) await this.nextSlice();
    this.#refuseEnded();
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      if (this.#waiting > 0) this.#endSlice();
    }
  }

  /** For work that has nothing to do in this slice. Throws: WorkEnded. */
  async nextSlice(): Promise<void> {
    this.#endsAtMs = Number.NEGATIVE_INFINITY;
    this.#waiting++;
    this.#endSlice();
    await this.#next.promise;
    this.#waiting--;
    this.#refuseEnded();
  }

  /** Begins a slice, and resolves when the work waits for the next one and no step is running. */
  run(milliseconds: number): Promise<void> {
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    this.#over = Promise.withResolvers();
    this.#endsAtMs = this.#monotonicMs() + milliseconds;
    resolve();
    return this.#over.promise;
  }

  end(): void {
    this.#isEnded = true;
    this.#next.resolve();
  }

  #endSlice(): void {
    if (this.#running === 0) this.#over.resolve();
  }

  #refuseEnded(): void {
    if (this.#isEnded || this.#isStopped()) throw new WorkEnded();
  }
}
