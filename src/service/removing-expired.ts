import type { Logger } from 'pino';
import { repeatedly, type Sleep } from './sleep.ts';

const REPEAT_MS = 10 * 60_000;

/** Logs only the first of consecutive failures. */
export function startRemovingExpired(
  what: string,
  { logger, sleep }: { logger: Pick<Logger, 'warn'>; sleep?: Sleep },
  remove: (signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  let isFailing = false;
  const removeNow = async (signal: AbortSignal) => {
    try {
      await remove(signal);
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, `could not remove expired ${what}; trying again later`);
      isFailing = true;
    }
  };
  return repeatedly(removeNow, REPEAT_MS, sleep);
}
