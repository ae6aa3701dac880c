import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { OpenFile } from '../db/sqlite/open-file.ts';
import { StoreUnavailable } from '../values/store-errors.ts';
import type { NamedWrite, Write, WriteName } from './writer.ts';

export interface WriteRequest extends NamedWrite {
  id: number;
  /** How long the write waits while another program holds the write lock. */
  waitMs: number;
}

export type WriteResponse =
  | { id: number; result: unknown }
  | { id: number; unavailable: string }
  | { id: number; error: unknown };

interface Waiting {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The secret is stored when the service starts, before any request waits. */
const SECRET_WAIT_MS = 60_000;
/** Uses of keys that can't be stored now are stored later. They must not delay a service that stops. */
const KEY_USES_WAIT_MS = 300;

/**
 * Writes on a separate thread, which the first write starts: requests that only read never wait for the disk or for the
 * write lock of another program.
 */
export class WritingThread {
  readonly #file: OpenFile;
  readonly #waitMs: number;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;
  #closed = false;

  constructor(file: OpenFile, waitMs: number) {
    this.#file = file;
    this.#waitMs = waitMs;
  }

  readonly write: Write = (name, ...values) => {
    // Otherwise a new thread would start, and never end.
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker ??= this.#start();
      // A write in progress keeps the process alive. An idle thread does not.
      this.#worker.ref();
      this.#worker.postMessage({ id, name, values, waitMs: this.#waitOf(name) } satisfies WriteRequest);
    });
  };

  /** Resolves when every write is done and the database is closed. */
  async close(): Promise<void> {
    this.#closed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    const exited = once(worker, 'exit');
    // Otherwise a process with nothing else to do would end before the thread, with exit status 13.
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
      workerData: this.#file,
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
        reject(new StoreUnavailable(`the writing thread ended${because}`, { cause }));
      this.#waiting.clear();
    });
    return worker;
  }

  #settle(worker: Worker, response: WriteResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('result' in response) waiting?.resolve(response.result);
    else if ('unavailable' in response) waiting?.reject(new StoreUnavailable(response.unavailable));
    else waiting?.reject(response.error);
  }
}
