import { destination, type Logger, pino } from 'pino';
import { formatTimestamp } from '../core/calendar.ts';
import type { LogLevel } from '../settings.ts';

const LOG_FLUSH_INTERVAL_MS = 500;
const LOG_BUFFER_BYTES = 8192;
/** Of a pipe that several processes write to: what is no larger is never torn. Source: pipe(7), PIPE_BUF. */
const WHOLE_WRITE_BYTES = 4096;

const STDERR = 2;

/**
 * Log lines gather for a moment, because a write for each request would cost more than the request.
 *
 * Where several processes write to one pipe, they write less at once, so that no line is torn by another.
 */
export function createLogger(level: LogLevel, { isShared = false } = {}): Logger {
  return pino(
    { level, base: null, timestamp: () => `,"time":"${formatTimestamp(Date.now())}"` },
    destination({
      fd: STDERR,
      sync: false,
      ...(isShared
        ? { minLength: WHOLE_WRITE_BYTES / 2, maxWrite: WHOLE_WRITE_BYTES }
        : { minLength: LOG_BUFFER_BYTES }),
      periodicFlush: LOG_FLUSH_INTERVAL_MS,
    }),
  );
}
