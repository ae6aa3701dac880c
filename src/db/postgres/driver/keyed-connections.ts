import { StoreUnavailable } from '../../../../values/store-errors.ts';
import type { ConnectionUse } from '../../connection-use.ts';
import { Connection, type ConnectionOptions } from './connection.ts';

const SIZE = 2;
/** If this many calls of `run` are in flight, others are refused, because they would miss their deadlines. */
const MAX_WAITING = 512;
/** Less than `MAX_WAITING`, so that a single key cannot keep out all other keys. */
const MAX_WAITING_OF_KEY = 128;
const MAX_SLOW_KEYS = 1000;

interface WaitingWork {
  readonly deadlineMs: number;
  start(connection: Connection): Promise<void>;
  reject(error: Error): void;
}

/** The work did not start in time, or too much work was waiting. The database has not failed. */
export class NotStarted extends StoreUnavailable {}

export interface KeyedConnectionsOptions extends ConnectionOptions {
  /** If a key's work takes at most this time, `isSlow` becomes false for the key. */
  quickMs: number;
  /** If undefined, idle connections stay open. */
  idleMs?: number;
}

/** A connection runs one piece of work at a time. Keys take turns. Each key uses at most one connection. */
export class KeyedConnections {
  readonly #quickMs: number;
  readonly #idleMs: number | undefined;
  readonly #connections: Connection[];
  readonly #idle: Connection[];
  readonly #queues = new Map<string, WaitingWork[]>();
  readonly #running = new Set<string>();
  readonly #slow = new Set<string>();
  #inFlight = 0;
  #closing: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ quickMs, idleMs, ...options }: KeyedConnectionsOptions) {
    this.#quickMs = quickMs;
    this.#idleMs = idleMs;
    this.#connections = Array.from({ length: SIZE }, () => new Connection(options));
    this.#idle = [...this.#connections];
  }

  get hasSlow(): boolean {
    return this.#slow.size > 0;
  }

  isSlow(key: string): boolean {
    return this.#slow.has(key);
  }

  run<Result>(
    key: string,
    deadlineMs: number,
    work: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#closed) return Promise.reject(new StoreUnavailable('database_closed'));
    this.remember(key);
    const queue = this.#queues.get(key) ?? [];
    if (this.#inFlight >= MAX_WAITING || queue.length >= MAX_WAITING_OF_KEY)
      return Promise.reject(
        new NotStarted('slow_statements', 'too many slow requests wait for the database'),
      );
    this.#inFlight++;
    clearTimeout(this.#closing);
    const done = new Promise<Result>((resolve, reject) => {
      this.#queues.set(key, queue);
      queue.push({
        deadlineMs,
        start: (connection) => {
          const startedAtMs = performance.now();
          return work(connection).then((result) => {
            if (performance.now() - startedAtMs <= this.#quickMs) this.#slow.delete(key);
            resolve(result);
          }, reject);
        },
        reject,
      });
    });
    // Rounded up, because timers have a resolution of one millisecond and must not fire early.
    const late = setTimeout(
      () => this.#rejectLate(key),
      Math.max(0, Math.ceil(deadlineMs - performance.now()) + 1),
    );
    this.#startNext();
    return done.finally(() => {
      clearTimeout(late);
      this.#inFlight--;
      this.#closeLater();
    });
  }

  #closeLater(): void {
    if (this.#idleMs === undefined || this.#inFlight > 0) return;
    this.#closing = setTimeout(() => {
      for (const connection of this.#connections) connection.closeIfIdle();
    }, this.#idleMs).unref();
  }

  remember(key: string): void {
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
      const next = queue.shift() as WaitingWork;
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

  #rejectLate(key: string): void {
    const queue = this.#queues.get(key) ?? [];
    const nowMs = performance.now();
    const rest = queue.filter(({ deadlineMs }) => deadlineMs > nowMs);
    if (rest.length > 0) this.#queues.set(key, rest);
    else this.#queues.delete(key);
    for (const { deadlineMs, reject } of queue) {
      if (deadlineMs <= nowMs)
        reject(new NotStarted('slow_statements', 'a slow request waited too long for its turn'));
    }
  }

  get use(): ConnectionUse {
    const open = this.#connections.filter(({ isOpen }) => isOpen).length;
    return { size: SIZE, open, inFlight: this.#inFlight };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#closing);
    for (const queue of this.#queues.values())
      for (const { reject } of queue) reject(new StoreUnavailable('database_closed'));
    this.#queues.clear();
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }
}
