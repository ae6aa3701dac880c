import { Slots } from '../../../../values/slots.ts';

/** Work that must end before a time of performance.now(). */
export interface Timed {
  readonly deadlineMs: number;
  expire(): void;
}

export const readTimeout = () => new Error('Query read timeout');

const CHECK_MS = 20;

const waiting = new Slots<Timed>();
let timer: NodeJS.Timeout | null = null;

/**
 * Calls `expire` at most 20 ms after the deadline. Returns the slot for `removeDeadline`, which cancels this.
 *
 * One timer checks all deadlines. pg's own limit, `query_timeout`, creates a function for each query. V8
 * keeps such functions, and all rows that they capture, until the next full garbage collection.
 */
export function addDeadline(timed: Timed): number {
  timer ??= setInterval(check, CHECK_MS).unref();
  return waiting.add(timed);
}

export const removeDeadline = (slot: number): void => waiting.remove(slot);

function check(): void {
  const nowMs = performance.now();
  let isIdle = true;
  for (const timed of waiting) {
    isIdle = false;
    if (timed.deadlineMs <= nowMs) timed.expire();
  }
  if (!isIdle || timer === null) return;
  clearInterval(timer);
  timer = null;
}
