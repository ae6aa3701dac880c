import type { DatabaseSync } from 'node:sqlite';
import type { OpenFile } from '../db/sqlite/open-file.ts';
import { stepRunner } from '../db/sqlite/sqlite-db.ts';
import { addTextSearch } from '../db/sqlite/text-search.ts';
import { Thread, type ThreadCall } from '../db/sqlite/thread.ts';
import { changeSealer } from '../ledger/seals/sqlite/seal-changes.ts';
import { storedTotalsReader } from '../ledger/totals/sqlite/totals.ts';

/** The reads that take long, or are for all accounts, on the connection of their thread. */
export function longReadsOn(db: DatabaseSync) {
  addTextSearch(db);
  return {
    readStep: stepRunner(db),
    readStoredTotals: storedTotalsReader(db).readAll,
    sealChanges: changeSealer(db),
  };
}

type LongReads = ReturnType<typeof longReadsOn>;

export type ReadLong = <Name extends keyof LongReads>(
  name: Name,
  ...values: Parameters<LongReads[Name]>
) => Promise<ReturnType<LongReads[Name]>>;

interface ReadCall extends ThreadCall {
  name: keyof LongReads;
}

/** Reads on a separate thread, which the first read starts: requests never wait for a read that takes long. */
export class ReadingThread {
  readonly #thread: Thread<ReadCall>;

  constructor(file: OpenFile) {
    this.#thread = new Thread('reading', new URL('./reading-thread-worker.ts', import.meta.url), {
      workerData: file,
    });
  }

  readonly read: ReadLong = (name, ...values) => this.#thread.call({ name, values });

  /** Resolves when every read is done and the connection is closed. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
