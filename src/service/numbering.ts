import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ChangeNumberer } from '../ledger/changes/change.ts';
import { numberTransactions } from '../ledger/changes/number-transactions.ts';

/** Between two transactions of the database, so that recordings of the same accounts get their turn. */
const PAUSE_MS = 50;
/** During an upgrade, an instance of the version before can still record transactions without numbers. */
const REPEAT_MS = 60_000;
/** After a failure, for example because another program holds the lock of an account for long. */
const RETRY_MS = 5000;
const LOG_INTERVAL_MS = 10_000;

/** Resolves after the time, or when the signal is aborted. */
type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const sleepUntilAborted: Sleep = (milliseconds, signal) =>
  delay(milliseconds, undefined, { signal }).catch(() => {});

/**
 * Gives sequence numbers to transactions that an earlier version recorded: now, and again every minute. The first of consecutive failures
 * is logged, and it tries again. Returns a function that stops it.
 */
export function startNumbering(
  store: ChangeNumberer,
  logger: Logger,
  sleep: Sleep = sleepUntilAborted,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) => sleep(milliseconds, signal);
  const running = (async () => {
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        await numberAll(store, logger, signal, () => pause(PAUSE_MS));
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) logger.warn({ err: error }, 'could not number transactions; trying again later');
        hasFailed = true;
      }
      await pause(hasFailed ? RETRY_MS : REPEAT_MS);
    }
  })();
  return async () => {
    stopping.abort();
    await running;
  };
}

/** Logs only if there is something to number. */
async function numberAll(
  store: ChangeNumberer,
  logger: Logger,
  signal: AbortSignal,
  pause: () => Promise<void>,
): Promise<void> {
  const beganAtMs = performance.now();
  let loggedAtMs: number | undefined;
  const numbered = await numberTransactions(store, {
    isStopped: () => signal.aborted,
    pause,
    onProgress: (count) => {
      const nowMs = performance.now();
      if (loggedAtMs === undefined) logger.info('numbering transactions of an earlier version');
      else if (nowMs - loggedAtMs >= LOG_INTERVAL_MS)
        logger.info({ numbered: count }, 'numbering transactions');
      else return;
      loggedAtMs = nowMs;
    },
  });
  if (numbered === 0) return;
  const tookMs = Math.round(performance.now() - beganAtMs);
  logger.info({ numbered, tookMs, complete: !signal.aborted }, 'numbered transactions of an earlier version');
}
