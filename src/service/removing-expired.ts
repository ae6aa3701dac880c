import type { Logger } from 'pino';
import { repeatedly, type Sleep } from './sleep.ts';

const REPEAT_MS = 10 * 60_000;

interface Removal {
  logger: Pick<Logger, 'warn'>;
  /** The servers of the database; one if absent. */
  servers?: () => readonly string[];
  sleep?: Sleep;
}

/**
 * Removes what has expired: now, and again every ten minutes. If a server fails, its expired rows stay until
 * the next time. The first of its consecutive failures is logged. Returns a function that stops it.
 */
export function startRemovingExpired(
  what: string,
  { logger, servers = () => [''], sleep }: Removal,
  removeOf: (server: string, signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const failing = new Set<string>();
  const remove = async (server: string, signal: AbortSignal) => {
    try {
      await removeOf(server, signal);
      failing.delete(server);
    } catch (error) {
      if (!failing.has(server))
        logger.warn({ err: error }, `could not remove expired ${what}; trying again later`);
      failing.add(server);
    }
  };
  const removeAll = (signal: AbortSignal) => Promise.all(servers().map((server) => remove(server, signal)));
  return repeatedly(removeAll, REPEAT_MS, sleep);
}
