import type { OpenFile } from '../db/sqlite/open-file.ts';
import { Thread, type ThreadCall } from '../db/sqlite/thread.ts';
import type { NamedWrite, SendWrite } from './writer.ts';

export interface WriteCall extends NamedWrite, ThreadCall {
  name: NamedWrite['name'];
  /** How long the write waits while another program holds the write lock. */
  waitMs: number;
}

/**
 * Writes on a separate thread, which the first write starts: requests that only read never wait for the disk or for the
 * write lock of another program.
 */
export class WritingThread {
  readonly #thread: Thread<WriteCall>;
  readonly #waitMs: number;

  constructor(file: OpenFile, waitMs: number) {
    this.#thread = new Thread('writing', new URL('./writing-thread-worker.ts', import.meta.url), {
      workerData: file,
    });
    this.#waitMs = waitMs;
  }

  readonly send: SendWrite = (write, waitMs = this.#waitMs) => this.#thread.call({ ...write, waitMs });

  /** Resolves when every write is done and the database is closed. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
