import { type ConnectionUse, StoreUnavailable } from '../../../core/store.ts';
import { CLOSED, Connection, type ConnectionOptions, LATE } from './connection.ts';

/** Two, so that one that takes long does not hold back all others. */
const SIZE = 2;
/** More than this, one after the other, would not be answered in time. */
const MAX_WAITING = 512;
/** So that many of one key leave room for others to wait. */
const MAX_WAITING_OF_KEY = 128;
/** Keys that are remembered as slow, the least recent forgotten first. */
const MAX_SLOW_KEYS = 1000;

interface Waiting {
  readonly deadlineMs: number;
  start(connection: Connection): Promise<void>;
  fail(error: Error): void;
}

/** Work that was not begun, because its turn did not come in time or too many waited: this says nothing of the database. */
export class NoTurn extends StoreUnavailable {}

export interface PatientLaneOptions extends ConnectionOptions {
  /** What takes no longer than this does not need this lane. */
  quickMs: number;
}

/**
 * Connections for what takes too long to share one, such as a slow list or a recording whose row is held: each
 * statement has a connection to itself.
 *
 * Work is run in turn by its key, an account for instance, and one at a time for each key, so that many of one
 * key do not hold back those of another. Connections are made when they are needed for the first time.
 */
export class PatientLane {
  readonly #quickMs: number;
  readonly #connections: Connection[];
  readonly #idle: Connection[];
  /** In the order of their turns. */
  readonly #queues = new Map<string, Waiting[]>();
  readonly #running = new Set<string>();
  readonly #slow = new Set<string>();
  #waiting = 0;
  #closed = false;

  constructor({ quickMs, ...options }: PatientLaneOptions) {
    this.#quickMs = quickMs;
    this.#connections = Array.from({ length: SIZE }, () => new Connection(options));
    this.#idle = [...this.#connections];
  }

  get hasSlow(): boolean {
    return this.#slow.size > 0;
  }

  /** Whether work of this key was slow the last time: it need not be tried elsewhere first. */
  isSlow(key: string): boolean {
    return this.#slow.has(key);
  }

  /**
   * Runs a piece of work in its turn, with a connection of its own until it settles.
   *
   * Throws: NoTurn where its turn does not come in time, or too many wait already.
   */
  run<Answer>(
    key: string,
    deadlineMs: number,
    work: (connection: Connection) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.#closed) return Promise.reject(new StoreUnavailable(CLOSED));
    this.markSlow(key);
    const queue = this.#queues.get(key) ?? [];
    if (this.#waiting >= MAX_WAITING || queue.length >= MAX_WAITING_OF_KEY)
      return Promise.reject(new NoTurn('too many slow requests wait for the database'));
    this.#waiting++;
    const answered = new Promise<Answer>((resolve, reject) => {
      this.#queues.set(key, queue);
      queue.push({
        deadlineMs,
        start: (connection) => {
          const startedAtMs = performance.now();
          return work(connection).then((answer) => {
            if (performance.now() - startedAtMs <= this.#quickMs) this.#slow.delete(key);
            resolve(answer);
          }, reject);
        },
        fail: reject,
      });
    });
    // Timers know whole milliseconds alone, and must not come early.
    const late = setTimeout(
      () => this.#failLate(key),
      Math.max(0, Math.ceil(deadlineMs - performance.now()) + 1),
    );
    this.#startNext();
    return answered.finally(() => {
      clearTimeout(late);
      this.#waiting--;
    });
  }

  /** From now on, until it is quick again, work of this key is to be run here. */
  markSlow(key: string): void {
    this.#slow.delete(key);
    this.#slow.add(key);
    if (this.#slow.size <= MAX_SLOW_KEYS) return;
    const [oldest] = this.#slow;
    this.#slow.delete(oldest as string);
  }

  #startNext(): void {
    for (const [key, queue] of this.#queues) {
      if (this.#idle.length === 0) return;
      if (this.#running.has(key)) continue;
      const next = queue.shift() as Waiting;
      // The key's next turn comes after those of all others.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      const connection = this.#idle.shift() as Connection;
      this.#running.add(key);
      void next.start(connection).finally(() => {
        this.#running.delete(key);
        this.#idle.push(connection);
        this.#startNext();
      });
    }
  }

  #failLate(key: string): void {
    const queue = this.#queues.get(key) ?? [];
    const nowMs = performance.now();
    const rest = queue.filter(({ deadlineMs }) => deadlineMs > nowMs);
    if (rest.length > 0) this.#queues.set(key, rest);
    else this.#queues.delete(key);
    for (const { deadlineMs, fail } of queue) {
      if (deadlineMs <= nowMs) fail(new NoTurn(LATE));
    }
  }

  get use(): ConnectionUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen).length;
    return { size: SIZE, open, waiting: this.#waiting };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of this.#queues.values())
      for (const { fail } of queue) fail(new StoreUnavailable(CLOSED));
    this.#queues.clear();
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
