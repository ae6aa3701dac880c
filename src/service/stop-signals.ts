import type { EventEmitter } from 'node:events';
import type { Logger } from 'pino';

/** How long requests in flight have to finish after a stop signal. */
const STOP_TIME_LIMIT_MS = 10_000;
const PARENT_CHECK_INTERVAL_MS = 250;

/** Ctrl-C can arrive twice: from the terminal, and from npm, which forwards it. */
const SAME_SIGNAL_MS = 1000;

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
/** Signals that need a listener: the first would open a debugger, and the second end the process. */
const IGNORED_SIGNALS = ['SIGUSR1', 'SIGUSR2'] as const;

/** What stops a process: a stop signal, or the end of npm. */
export type StopReason = (typeof STOP_SIGNALS)[number] | 'the end of npm';

/**
 * Calls back at the first stop signal. `again` says what a further signal does; one within a second is the same signal.
 *
 * Returns a function that ends the handling: then the next signal ends the process.
 */
export function onStopSignal(
  callback: (reason: StopReason) => void,
  { again }: { again: 'ignored' | 'ends the process' },
  signals: EventEmitter = process,
): () => void {
  let stopping = false;
  const stop = (reason: StopReason) => {
    if (stopping) return;
    stopping = true;
    if (again === 'ends the process') setTimeout(forget, SAME_SIGNAL_MS).unref();
    callback(reason);
  };
  const forgetNpm = onEndOfNpm(() => stop('the end of npm'));
  const forget = () => {
    forgetNpm();
    for (const signal of STOP_SIGNALS) signals.off(signal, stop);
  };
  for (const signal of STOP_SIGNALS) signals.on(signal, stop);
  return forget;
}

/** How a service comes to its end. */
export interface Stopping {
  /** Whether it still serves, and load balancers should send it no more requests. */
  isDraining(): boolean;
  /** Resolves when it drains, which is at once with nothing to drain. */
  draining: Promise<void>;
  /** Resolves when it has to stop. */
  stopped: Promise<void>;
}

/**
 * Waits for the first stop signal. SIGTERM lets the process drain first; others, such as Ctrl-C, do not. If requests do not finish in time
 * then, the process exits with status 1. The signals that a service ignores are logged.
 */
export function stopSignal(logger: Logger, drainSeconds: number): Stopping {
  const draining = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isDraining = false;
  for (const ignored of IGNORED_SIGNALS)
    process.on(ignored, (signal) => logger.warn({ signal }, 'ignored a signal'));
  const stop = (reason: StopReason) => {
    logger.info({ signal: reason }, 'stopping');
    stopped.resolve();
    setTimeout(() => {
      logger.error({ afterMs: STOP_TIME_LIMIT_MS }, 'requests did not finish in time; they are cut off');
      logger.flush();
      process.exit(1);
    }, STOP_TIME_LIMIT_MS).unref();
  };
  const onStop = (reason: StopReason) => {
    isDraining = true;
    draining.resolve();
    if (reason !== 'SIGTERM' || drainSeconds === 0) return stop(reason);
    logger.info({ signal: reason, seconds: drainSeconds }, 'draining');
    logger.flush();
    setTimeout(stop, drainSeconds * 1000, reason);
  };
  onStopSignal(onStop, { again: 'ignored' });
  return { isDraining: () => isDraining, draining: draining.promise, stopped: stopped.promise };
}

/**
 * Calls back when npm has ended. npm and npx forward SIGTERM to the shell that runs the program, but the shell ends without
 * forwarding it. The program would keep running without a parent. Returns a function that ends the checks.
 */
function onEndOfNpm(callback: () => void): () => void {
  if (process.env['npm_execpath'] === undefined) return () => {};
  const parent = process.ppid;
  const interval = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(interval);
    callback();
  }, PARENT_CHECK_INTERVAL_MS).unref();
  return () => clearInterval(interval);
}
