import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailable } from '../../../values/store-errors.ts';
import { asUnavailable, isBusy } from './errors.ts';

/** Short, because a program that writes short transactions releases the lock only briefly. */
export const WRITE_LOCK_RETRY_MS = 1;
const NOTICEABLE_MS = 1000;

export interface LockWait {
  /** How long to wait for the write lock of another program. Blocks the thread. */
  waitMs: number;
  /** Called once, after a second of waiting. */
  onWaiting?: (() => void) | undefined;
}

/**
 * Tries for the lock itself, because SQLite's busy handler sleeps for up to 100 ms and would never get the
 * lock from a busy writer.
 */
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

const COMMAND_WAIT_MS = 60_000;

/** Does not block the event loop, which handles stop signals. Throws: StoreUnavailable. */
export async function whenLockIsFree<Result>(work: () => Result): Promise<Result> {
  const giveUpAtMs = performance.now() + COMMAND_WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      const known = asUnavailable(error);
      const isHeld = known instanceof StoreUnavailable && isBusy(known.cause);
      if (!isHeld || performance.now() > giveUpAtMs) throw known;
      await delay(WRITE_LOCK_RETRY_MS);
    }
  }
}

/** Blocks the thread. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
