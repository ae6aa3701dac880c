import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EXPORT_LIFETIME_MS, type ExportStore } from '../ledger/exports/export.ts';
import type { AccountServers } from '../ledger/record/transaction-recorder.ts';

const REPEAT_MS = 10 * 60_000;

/** Resolves after the time, or when the signal is aborted. */
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const sleepUntilAborted: Sleep = (milliseconds, signal) =>
  delay(milliseconds, undefined, { signal }).catch(() => {});

/**
 * Removes expired exports: now, and again every ten minutes. Accounts that begin exports lose theirs by that already. A server that
 * fails keeps its own until the next time: the first of its consecutive failures is logged. Returns a function that stops it.
 */
export function startRemovingExports(
  store: Pick<ExportStore, 'removeExpiredExports'> & AccountServers,
  logger: Pick<Logger, 'warn'>,
  now: () => number,
  sleep: Sleep = sleepUntilAborted,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const failing = new Set<string>();
  const remove = async (server: string) => {
    try {
      await store.removeExpiredExports(now() - EXPORT_LIFETIME_MS, server);
      failing.delete(server);
    } catch (error) {
      if (!failing.has(server))
        logger.warn({ err: error }, 'could not remove expired exports; trying again later');
      failing.add(server);
    }
  };
  const running = (async () => {
    while (!signal.aborted) {
      await Promise.all((store.servers?.() ?? ['']).map(remove));
      await sleep(REPEAT_MS, signal);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}
