import type { Logger } from 'pino';
import { type ApiKeyStore, SESSIONS_AT_ONCE } from '../keys/api-key-store.ts';
import { SESSION_KEPT_MS } from '../keys/session.ts';
import { repeatedly, type Sleep } from './sleep.ts';

const REPEAT_MS = 10 * 60_000;

interface Removal {
  logger: Pick<Logger, 'warn'>;
  /** The servers of the database; one if absent. */
  servers?: () => readonly string[];
  sleep?: Sleep;
}

/**
 * Removes what has expired: now, and again every ten minutes. A server that fails keeps its own until the next time: the first of its
 * consecutive failures is logged. Returns a function that stops it.
 */
export function startRemovingExpired(
  what: 'exports' | 'sessions',
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

/** Removes sessions a week after they expired, in steps that recordings can wait for, until none is left or the signal is aborted. */
export async function removeExpiredSessions(
  store: Pick<ApiKeyStore, 'removeExpiredSessions'>,
  nowMs: number,
  signal: AbortSignal,
): Promise<void> {
  const beforeMs = nowMs - SESSION_KEPT_MS;
  while (!signal.aborted && (await store.removeExpiredSessions(beforeMs)) === SESSIONS_AT_ONCE);
}
