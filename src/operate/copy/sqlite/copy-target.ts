import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { storedValuesOf } from '../../stored-rows.ts';
import type { StoredRecord } from '../../verify/verify-reader.ts';
import type { CopyMark } from '../copy-mark.ts';
import type { ChangeConflict, ChangePart, CopiedTable, CopyTarget } from '../copy-target.ts';
import type { CopyWriter, SentPart } from './copy-writer.ts';

export interface CopyRequest {
  id: number;
  name: keyof CopyWriter;
  values: readonly unknown[];
}

export type CopyResponse =
  | { id: number; result: unknown }
  | { id: number; unavailable: string }
  | { id: number; error: unknown };

/** Rows are garbage when they are written. More would only hold more of them. */
const YOUNG_GENERATION_MB = 16;

/** Writes on a thread of its own. */
export class SqliteCopyTarget implements CopyTarget {
  readonly #worker: Worker;
  readonly #release: () => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #count = 0;
  #failure: StoreUnavailable | undefined;
  /** One is written, and the next one waits. */
  readonly writesInFlight = 2;

  /** `release` releases the lock against a second copy. */
  constructor(path: string, release: () => void) {
    this.#release = release;
    this.#worker = new Worker(new URL('./copy-target-worker.ts', import.meta.url), {
      workerData: path,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.#worker.on('message', (response: CopyResponse) => this.#settle(response));
    this.#worker.on('error', (cause) => {
      this.#failure = new StoreUnavailable(`the writing thread ended: ${(cause as Error).message}`, {
        cause,
      });
    });
    this.#worker.on('exit', () => {
      this.#failure ??= new StoreUnavailable('the writing thread ended');
      for (const { reject } of this.#waiting.values()) reject(this.#failure);
      this.#waiting.clear();
    });
  }

  async begin(mark: CopyMark): Promise<void> {
    await this.#send('begin', mark);
  }

  writeChanges(parts: readonly ChangePart[]): Promise<ChangeConflict[]> {
    const sent = parts.map(({ account, after, upTo, rows }): SentPart => {
      // Near the rows that were written before them in the table, which is in this order.
      const sorted = rows.toSorted((a, b) => a.createdAtMs - b.createdAtMs);
      return { account, after, upTo, rows: sorted.map(storedValuesOf) };
    });
    return this.#send('writeChanges', sent);
  }

  async writeRecords(table: CopiedTable, records: readonly StoredRecord[]): Promise<void> {
    await this.#send('writeRecords', table, records);
  }

  async deleteRecords(table: CopiedTable, keys: readonly (readonly (string | number)[])[]): Promise<void> {
    await this.#send('deleteRecords', table, keys);
  }

  async end(): Promise<void> {
    await this.#send('end');
  }

  async close(): Promise<void> {
    if (this.#failure === undefined) {
      const exited = once(this.#worker, 'exit');
      this.#worker.postMessage(null);
      await exited;
    }
    this.#release();
  }

  #send<Result>(name: keyof CopyWriter, ...values: readonly unknown[]): Promise<Result> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    const id = ++this.#count;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ id, name, values } satisfies CopyRequest);
    return waiting.promise as Promise<Result>;
  }

  #settle(response: CopyResponse): void {
    const waiting = this.#waiting.get(response.id);
    this.#waiting.delete(response.id);
    if ('result' in response) waiting?.resolve(response.result);
    else if ('unavailable' in response) waiting?.reject(new StoreUnavailable(response.unavailable));
    else waiting?.reject(response.error);
  }
}
