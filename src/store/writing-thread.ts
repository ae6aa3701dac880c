import type { OpenFile } from '../db/sqlite/open-file.ts';
import { Thread, type ThreadCall } from '../db/sqlite/thread.ts';
import type { WriteName } from './calls.ts';
import type { NamedWrite, Write } from './writer.ts';

export interface WriteCall extends NamedWrite, ThreadCall {
  name: WriteName;
  /** How long the write waits while another program holds the write lock. */
  waitMs: number;
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
  readonly #thread: Thread<WriteCall>;
  readonly #waitMs: number;

  constructor(file: OpenFile, waitMs: number) {
    this.#thread = new Thread('writing', new URL('./writing-thread-worker.ts', import.meta.url), {
      workerData: file,
    });
    this.#waitMs = waitMs;
  }

  readonly write: Write = (name, ...values) =>
    this.#thread.call({ name, values, waitMs: this.#waitOf(name) });

  /** Resolves when every write is done and the database is closed. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  #waitOf(name: WriteName): number {
    if (name === 'storeCursorSecret') return SECRET_WAIT_MS;
    return name === 'touchApiKeys' ? KEY_USES_WAIT_MS : this.#waitMs;
  }
}
