import type { Logger } from 'pino';

/** How long requests in hand may take to finish once the service is told to stop. */
const STOP_WITHIN_MS = 10_000;
const PARENT_LOOKED_AT_MS = 250;

/**
 * Resolves when the process is told to stop. A repeated signal changes nothing, because npm hands on the
 * one that a terminal has sent already; requests that never end are cut off after a time.
 */
export function toldToStop(logger: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let stopping = false;
  const stop = (reason: NodeJS.Signals | 'npm ended') => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal: reason }, 'stopping');
    resolve();
    setTimeout(() => {
      logger.error({ afterMs: STOP_WITHIN_MS }, 'requests did not finish in time; they are cut off');
      logger.flush();
      process.exit(1);
    }, STOP_WITHIN_MS).unref();
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  whenNpmEnds(() => stop('npm ended'));
  return promise;
}

/**
 * npm and npx hand a SIGTERM on to the shell that they start a program with, and the shell does not: it ends, and the
 * program would go on without anybody who knows of it.
 */
function whenNpmEnds(then: () => void): void {
  if (process.env['npm_execpath'] === undefined) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    then();
  }, PARENT_LOOKED_AT_MS).unref();
}
