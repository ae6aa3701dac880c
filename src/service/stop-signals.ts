import type { Logger } from 'pino';

/** How long requests in flight have to finish after a stop signal. */
const STOP_TIME_LIMIT_MS = 10_000;
const PARENT_CHECK_INTERVAL_MS = 250;

/** What stops a process: SIGTERM, SIGINT, or the end of npm. */
export type StopReason = NodeJS.Signals | 'npm ended';

/**
 * Calls back at the first stop signal. Further signals have no effect, because npm forwards a signal that the terminal
 * has also sent.
 */
export function onStopSignal(callback: (reason: StopReason) => void): void {
  let stopping = false;
  const stop = (reason: StopReason) => {
    if (stopping) return;
    stopping = true;
    callback(reason);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  onEndOfNpm(() => stop('npm ended'));
}

/** Resolves at the first stop signal. If requests do not finish in time, the process exits with status 1. */
export function stopSignal(logger: Logger): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onStopSignal((reason) => {
    logger.info({ signal: reason }, 'stopping');
    resolve();
    setTimeout(() => {
      logger.error({ afterMs: STOP_TIME_LIMIT_MS }, 'requests did not finish in time; they are cut off');
      logger.flush();
      process.exit(1);
    }, STOP_TIME_LIMIT_MS).unref();
  });
  return promise;
}

/**
 * npm and npx forward SIGTERM to the shell that runs the program, but the shell ends without forwarding it. The program
 * would keep running without a parent.
 */
export function onEndOfNpm(callback: () => void): void {
  if (process.env['npm_execpath'] === undefined) return;
  const parent = process.ppid;
  const interval = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(interval);
    callback();
  }, PARENT_CHECK_INTERVAL_MS).unref();
}
