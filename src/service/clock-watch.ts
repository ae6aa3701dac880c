import type { Logger } from 'pino';
import { MAX_CLOCK_OFFSET_MS } from '../operate/doctor/check-machine.ts';
import type { Store } from '../store/store.ts';
import { repeatedly, type Sleep } from './sleep.ts';
import type { StoreMetrics } from './store-metrics.ts';

const REPEAT_MS = 60_000;

interface ClockWatchOptions {
  store: Pick<Store, 'readClock'>;
  clock: { now(): number };
  logger: Pick<Logger, 'warn' | 'info'>;
  metrics: Pick<StoreMetrics, 'setClockOffset'>;
  sleep?: Sleep;
}

export function startClockWatch(options: ClockWatchOptions): () => Promise<void> {
  const { logger, metrics, sleep } = options;
  let isWrong = false;
  const compare = async () => {
    // Errors are ignored, because other log lines and metrics report that the database is unavailable.
    const offsetMs = await readOffset(options).catch(() => null);
    if (offsetMs === null) return;
    metrics.setClockOffset(offsetMs / 1000);
    const wasWrong = isWrong;
    isWrong = Math.abs(offsetMs) > MAX_CLOCK_OFFSET_MS;
    const fields = { aheadSeconds: Math.round(offsetMs / 1000) };
    if (isWrong && !wasWrong)
      logger.warn(fields, 'the clock differs from that of the database: correct the wrong one');
    if (!isWrong && wasWrong) logger.info(fields, 'the clock agrees with that of the database again');
  };
  return repeatedly(compare, REPEAT_MS, sleep);
}

/**
 * Returns how far the service's clock is ahead of the database's. If it is behind, the result is negative.
 * The clocks are not read at the same moment, so several offsets are possible. Returns the one nearest to 0.
 */
export async function readOffset({
  store,
  clock,
}: Pick<ClockWatchOptions, 'store' | 'clock'>): Promise<number> {
  const beforeMs = clock.now();
  const { nowMs, isLeast } = await store.readClock();
  const afterMs = clock.now();
  if (nowMs > afterMs) return afterMs - nowMs;
  return !isLeast && nowMs < beforeMs ? beforeMs - nowMs : 0;
}
