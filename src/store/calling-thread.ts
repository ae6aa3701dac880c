import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { asUnavailable, isBusy } from '../db/sqlite/errors.ts';
import { type OpenFile, refuseMovedFile } from '../db/sqlite/open-file.ts';
import { WRITE_LOCK_RETRY_MS } from '../db/sqlite/write-lock.ts';
import { StoreUnavailable } from '../values/store-errors.ts';
import { HELD, runWrites, type Write, writerOn } from './writer.ts';

/**
 * Writes on the calling thread, one transaction each: for a command that writes once, because a thread takes longer to start than to
 * write, and for a database in memory, which no other thread can reach.
 *
 * `waitMs` is how long a write waits while another program holds the write lock.
 */
export function writeOnCallingThread(db: DatabaseSync, file: OpenFile, waitMs: number): Write {
  const writer = writerOn(db);
  return async (name, ...values) => {
    for (const giveUpAtMs = performance.now() + waitMs; ; await delay(WRITE_LOCK_RETRY_MS)) {
      try {
        refuseMovedFile(file);
        const [done] = runWrites(db, writer, [{ name, values }]);
        // Again before the write is acknowledged: the commit can have gone to a file without a name.
        refuseMovedFile(file);
        return (done as { result: unknown }).result as never;
      } catch (error) {
        if (!isBusy(error)) throw asUnavailable(error);
        if (performance.now() >= giveUpAtMs) throw new StoreUnavailable(HELD.reason, HELD.message);
      }
    }
  };
}
