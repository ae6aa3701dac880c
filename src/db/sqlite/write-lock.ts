import type { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { retrying } from '../retrying.ts';
import { isBusy, orUnavailable } from './errors.ts';

/** Short, because a busy writer releases the lock only for a moment. */
export const WRITE_LOCK_RETRY_MS = 1;
const NOTICEABLE_MS = 1000;

export interface LockWait {
  /** The wait blocks the thread. */
  waitMs: number;
  onWaiting?: (() => void) | undefined;
}

/** Replaces SQLite's busy handler, whose long sleeps miss the moments when a busy writer frees the lock. */
export function waitForWriteLock(db: DatabaseSync, { waitMs, onWaiting }: LockWait): void {
  const { timeout } = db.prepare('PRAGMA busy_timeout').get() as { timeout: number };
  db.exec('PRAGMA busy_timeout = 0');
  const beganAtMs = performance.now();
  let noticed = false;
  try {
    for (;;) {
      try {
        db.exec('BEGIN IMMEDIATE');
        return;
      } catch (error) {
        const waitedMs = performance.now() - beganAtMs;
        if (!isBusy(error) || waitedMs >= waitMs) throw error;
        if (!noticed && waitedMs >= NOTICEABLE_MS) {
          noticed = true;
          onWaiting?.();
        }
      }
      sleep(WRITE_LOCK_RETRY_MS);
    }
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout}`);
  }
}

const COMMAND_RETRIES = { everyMs: WRITE_LOCK_RETRY_MS, withinMs: 60_000 };
const isHeld = (error: unknown) => error instanceof StoreUnavailable && isBusy(error.cause);

/** Waits without blocking the event loop, which handles stop signals. Throws: StoreUnavailable. */
export const whenLockIsFree = <Result>(work: () => Result): Promise<Result> =>
  retrying(isHeld, COMMAND_RETRIES, () => orUnavailable(work));

export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
