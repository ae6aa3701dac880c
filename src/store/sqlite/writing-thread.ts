import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../core/store.ts';
import type { Write, WriteName } from './writer.ts';

export interface WriteRequest {
  id: number;
  name: WriteName;
  values: readonly unknown[];
  /** How long the write waits for another program that writes. */
  waitMs: number;
}

export type WriteResponse =
  | { id: number; answer: unknown }
  | { id: number; unavailable: string }
  | { id: number; error: unknown };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/** Of the service's start, which nobody else waits for. */
const SECRET_WAIT_MS = 60_000;
/** What is not noted now is noted later, and a service that stops does not wait for it. */
const KEY_USES_WAIT_MS = 300;

/**
 * Writes on a thread of its own, which the first write starts: the disk, and another program that writes, hold up
 * no request that only reads.
 */
export class WritingThread {
  readonly #path: string;
  readonly #waitMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;
  #closed = false;

  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  readonly write: Write = (name, ...values) => {
    // Otherwise another thread would begin, which nobody ends.
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker ??= this.#start();
      // An unanswered write keeps the process alive, and the thread alone does not.
      this.#worker.ref();
      this.#worker.postMessage({ id, name, values, waitMs: this.#waitOf(name) } satisfies WriteRequest);
    });
  };

  /** Resolves when every write is answered, and the database is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = once(worker, 'exit');
    // Otherwise a process with nothing else to do would end before it is closed, with exit status 13.
    worker.ref();
    worker.postMessage(null);
    await exited;
  }

  #waitOf(name: WriteName): number {
    if (name === 'storeCursorSecret') return SECRET_WAIT_MS;
    return name === 'touchApiKeys' ? KEY_USES_WAIT_MS : this.#waitMs;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writing-thread-worker.ts', import.meta.url), {
      workerData: this.#path,
    });
    let cause: Error | undefined;
    worker.on('message', (response: WriteResponse) => this.#settle(worker, response));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      const because = cause === undefined ? '' : `: ${cause.message}`;
      for (const { reject } of this.#waiting.values())
        reject(new StoreUnavailable(`the thread that writes ended${because}`, { cause }));
      this.#waiting.clear();
    });
    return worker;
  }

  #settle(worker: Worker, response: WriteResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('answer' in response) waiting?.resolve(response.answer);
    else if ('unavailable' in response) waiting?.reject(new StoreUnavailable(response.unavailable));
    else waiting?.reject(response.error);
  }
}
