import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable, type TransactionRecorder } from '../../core/store.ts';
import type { DirectRecorder } from './record-transactions.ts';

export type Operation = keyof DirectRecorder;

export interface Asked {
  id: number;
  operation: Operation;
  values: Parameters<DirectRecorder[Operation]>;
}

export type Told =
  | { id: number; answer: ReturnType<DirectRecorder[Operation]> }
  | { id: number; unavailable: string }
  | { id: number; error: unknown };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

/**
 * Records on a thread of its own, which is started by the first recording: what waits for the disk, or for
 * another program that writes, are no requests that only read.
 */
export class WritingThread implements TransactionRecorder {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #count = 0;
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  recordTransactions(
    ...values: Parameters<TransactionRecorder['recordTransactions']>
  ): ReturnType<TransactionRecorder['recordTransactions']> {
    return this.#ask('recordTransactions', values);
  }

  recordOnce(
    ...values: Parameters<TransactionRecorder['recordOnce']>
  ): ReturnType<TransactionRecorder['recordOnce']> {
    return this.#ask('recordOnce', values);
  }

  /** Resolves when everything that was asked for is answered, and the database is let go. */
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

  #ask<Answer>(operation: Operation, values: Asked['values']): Promise<Answer> {
    // Otherwise another thread would begin, which nobody ends.
    if (this.#closed) return Promise.reject(new StoreUnavailable('the store is closed'));
    return new Promise<Answer>((resolve, reject) => {
      const id = ++this.#count;
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.#worker ??= this.#start();
      // What is asked for keeps the process alive, and the thread alone does not.
      this.#worker.ref();
      this.#worker.postMessage({ id, operation, values } satisfies Asked);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writing-thread-worker.ts', import.meta.url), {
      workerData: this.#path,
    });
    let cause: unknown;
    worker.on('message', (told: Told) => this.#tell(worker, told));
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values())
        reject(new StoreUnavailable('the thread that records ended', { cause }));
      this.#waiting.clear();
    });
    return worker;
  }

  #tell(worker: Worker, told: Told): void {
    const waiting = this.#waiting.get(told.id);
    this.#waiting.delete(told.id);
    if (this.#waiting.size === 0) worker.unref();
    if ('answer' in told) waiting?.resolve(told.answer);
    else if ('unavailable' in told) waiting?.reject(new StoreUnavailable(told.unavailable));
    else waiting?.reject(told.error);
  }
}
