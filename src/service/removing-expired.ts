import type { Logger } from 'pino';
import { repeatedly, type Sleep } from './sleep.ts';

const REPEAT_MS = 10 * 60_000;

interface Removal {
  logger: Pick<Logger, 'warn'>;
  /** The nodes of the database; one if absent. */
  nodes?: () => readonly string[];
  sleep?: Sleep;
}

/**
 * Removes expired rows now, and again every ten minutes. If a node fails, its expired rows stay until
 * the next time. The first of its consecutive failures is logged. Returns a function that stops it.
 */
export function startRemovingExpired(
  what: string,
  { logger, nodes = () => [''], sleep }: Removal,
  removeOf: (node: string, signal: AbortSignal) => Promise<unknown>,
): () => Promise<void> {
  const failing = new Set<string>();
  const remove = async (node: string, signal: AbortSignal) => {
    try {
      await removeOf(node, signal);
      failing.delete(node);
    } catch (error) {
      if (!failing.has(node))
        logger.warn({ err: error }, `could not remove expired ${what}; trying again later`);
      failing.add(node);
    }
  };
  const removeAll = (signal: AbortSignal) => Promise.all(nodes().map((node) => remove(node, signal)));
  return repeatedly(removeAll, REPEAT_MS, sleep);
}
