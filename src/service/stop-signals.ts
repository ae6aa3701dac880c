import type { Logger } from 'pino';
import { onStopSignal, type StopReason } from '../../values/terminal/stop-signals.ts';

const STOP_TIME_LIMIT_MS = 10_000;

/** Ignored, because by default SIGUSR1 opens a debugger, and SIGUSR2 ends the process. */
const IGNORED_SIGNALS = ['SIGUSR1', 'SIGUSR2'] as const;

export interface Stopping {
  /** True if the service still serves, but load balancers should stop sending it requests. */
  isDraining(): boolean;
  /** Resolves when draining begins. Without draining, resolves at the stop. */
  draining: Promise<void>;
  stopped: Promise<void>;
  isStopped(): boolean;
}

/** SIGTERM lets the process drain first; other signals, such as Ctrl-C, do not. */
export function stopSignal(logger: Logger, drainSeconds: number): Stopping {
  const draining = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  let isDraining = false;
  let isStopped = false;
  for (const ignored of IGNORED_SIGNALS)
    process.on(ignored, (signal) => logger.warn({ signal }, 'ignored a signal'));
  const stop = (reason: StopReason) => {
    isStopped = true;
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
    const drained = Promise.withResolvers<StopReason>();
    void drained.promise.then(stop);
    const timer = setTimeout(drained.resolve, drainSeconds * 1000, reason);
    process.once('SIGINT', (signal) => {
      clearTimeout(timer);
      drained.resolve(signal as 'SIGINT');
    });
  };
  onStopSignal(onStop, { again: 'ignored' });
  return {
    isDraining: () => isDraining,
    draining: draining.promise,
    stopped: stopped.promise,
    isStopped: () => isStopped,
  };
}
