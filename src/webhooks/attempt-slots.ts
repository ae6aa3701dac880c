import type { Turns } from '../values/background-turns.ts';

/** Bounds what runs at a time over all endpoints, so that deliveries neither fill the memory nor hold up the requests of the process. */

/** Attempts in flight over all endpoints. */
const MAX_IN_FLIGHT = 512;
/** Up to so many, an endpoint can have several, or be slow. The rest is for others that have none, so that no number of slow ones takes all. */
const MAX_SHARED = MAX_IN_FLIGHT / 2;
/** An endpoint whose last attempt took so long is slow. */
const SLOW_MS = 1000;
/** Attempts that begin in a turn of the event loop while requests come, and while none comes. */
const BUSY_STARTS = 1;
const IDLE_STARTS = 8;
/** Reads of changes at a time. */
const MAX_READS = 4;

export interface Attempting {
  /** The attempts in flight. */
  readonly inFlight: number;
  readonly wantsAttempt: boolean;
  /** Begins an attempt if it still wants one. Resolves when it has ended, and never rejects. */
  startAttempt(): Promise<void> | undefined;
}

/** Gives endpoints their turns to begin attempts: those without one in flight first that are not slow, each in the order in which it asked. */
export class AttemptSlots {
  readonly #turns: Turns;
  readonly #monotonicMs: () => number;
  readonly #slow = new WeakSet<Attempting>();
  readonly #first = new Set<Attempting>();
  readonly #more = new Set<Attempting>();
  #inFlight = 0;
  #isRunning = false;

  constructor(turns: Turns, monotonicMs: () => number) {
    this.#turns = turns;
    this.#monotonicMs = monotonicMs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Call when an endpoint wants an attempt. */
  request(endpoint: Attempting): void {
    const isFirst = endpoint.inFlight === 0 && !this.#slow.has(endpoint);
    (isFirst ? this.#more : this.#first).delete(endpoint);
    (isFirst ? this.#first : this.#more).add(endpoint);
    this.#wake();
  }

  /** The endpoint wants no attempt any more. */
  forget(endpoint: Attempting): void {
    this.#first.delete(endpoint);
    this.#more.delete(endpoint);
  }

  #wake(): void {
    if (!this.#isRunning && this.#next() !== undefined) void this.#run();
  }

  #next(): Attempting | undefined {
    if (this.#inFlight >= MAX_IN_FLIGHT) return undefined;
    for (const endpoint of this.#first) return endpoint;
    if (this.#inFlight >= MAX_SHARED) return undefined;
    for (const endpoint of this.#more) return endpoint;
    return undefined;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#next() !== undefined) {
      await this.#turns.next();
      this.#startSome(this.#turns.isBusy ? BUSY_STARTS : IDLE_STARTS);
    }
    this.#isRunning = false;
  }

  #startSome(count: number): void {
    for (let started = 0; started < count; ) {
      const endpoint = this.#next();
      if (endpoint === undefined) return;
      this.forget(endpoint);
      const startedMs = this.#monotonicMs();
      const attempt = endpoint.startAttempt();
      if (attempt === undefined) continue;
      started++;
      this.#inFlight++;
      void attempt.then(() => {
        this.#inFlight--;
        this.#noteDuration(endpoint, this.#monotonicMs() - startedMs);
        this.#wake();
      });
      if (endpoint.wantsAttempt) this.request(endpoint);
    }
  }

  #noteDuration(endpoint: Attempting, durationMs: number): void {
    if (durationMs < SLOW_MS) this.#slow.delete(endpoint);
    else this.#slow.add(endpoint);
    if (this.#first.has(endpoint) || this.#more.has(endpoint)) this.request(endpoint);
  }
}

/** Lets endpoints read changes, a few at a time, in the order in which they asked. */
export class ReadQueue {
  readonly #turns: Turns;
  readonly #waiting = new Map<object, () => Promise<void>>();
  #running = 0;

  constructor(turns: Turns) {
    this.#turns = turns;
  }

  /** `read` never rejects. While an owner waits for its turn, another read of it is not added. */
  request(owner: object, read: () => Promise<void>): void {
    if (!this.#waiting.has(owner)) this.#waiting.set(owner, read);
    if (this.#running < MAX_READS) void this.#run();
  }

  forget(owner: object): void {
    this.#waiting.delete(owner);
  }

  async #run(): Promise<void> {
    this.#running++;
    while (this.#waiting.size > 0) {
      await this.#turns.next();
      const [next] = this.#waiting;
      if (next === undefined) break;
      const [owner, read] = next;
      this.#waiting.delete(owner);
      await read();
    }
    this.#running--;
  }
}
