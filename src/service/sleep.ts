import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after the time, or when the signal is aborted. Tests have their own. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const sleepUntilAborted: Sleep = (milliseconds, signal) =>
  delay(milliseconds, undefined, { signal }).catch(() => {});
