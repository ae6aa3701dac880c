import { setTimeout as delay } from 'node:timers/promises';

export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const sleepUntilAborted: Sleep = (milliseconds, signal) =>
  delay(milliseconds, undefined, { signal }).catch(() => {});

export function repeatedly(
  work: (signal: AbortSignal) => Promise<unknown>,
  pauseMs: number,
  sleep: Sleep = sleepUntilAborted,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      await work(signal);
      await sleep(pauseMs, signal);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
