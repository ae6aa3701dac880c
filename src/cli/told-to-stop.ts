import type { Logger } from 'pino';

/** How long requests in hand may take to finish once the service is told to stop. */
const STOP_WITHIN_MS = 10_000;

/**
 * Resolves when the process is told to stop. A repeated signal changes nothing, because npm hands on the
 * one that a terminal has sent already; requests that never end are cut off after a time.
 */
export function toldToStop(logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      logger.info({ signal }, 'stopping');
      resolve();
      setTimeout(() => {
        logger.error({ afterMs: STOP_WITHIN_MS }, 'requests did not finish in time; they are cut off');
        logger.flush();
        process.exit(1);
      }, STOP_WITHIN_MS).unref();
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
    // Without a listener, a second signal would end the process at once.
    process.on('SIGTERM', () => {}).on('SIGINT', () => {});
  });
}
