import { destination, type Logger, pino, type SerializedError, stdSerializers } from 'pino';
import { formatTimestamp } from '../../values/calendar.ts';
import { StoreUnavailable } from '../../values/store-errors.ts';
import { visibleLines } from '../../values/visible.ts';
import type { LogLevel } from '../config/settings.ts';

const LOG_FLUSH_INTERVAL_MS = 500;
/** Lines are written together: each write wakes a thread, which costs as much as logging dozens of lines. */
const LOG_BUFFER_BYTES = 32_768;
const LOG_WRITE_BYTES = 65_536;
/** About 80,000 lines. More are dropped, because a log that nobody reads must not fill the memory. */
const LOG_MAX_BYTES = 16 * 2 ** 20;
/** Writes to a pipe are atomic up to this size. Source: pipe(7), PIPE_BUF. */
const ATOMIC_WRITE_BYTES = 4096;

const STDERR = 2;

/** With `isShared`, several processes write to one pipe, so each write must be atomic. */
export function createLogger(level: LogLevel, { isShared = false } = {}): Logger {
  const output = destination({
    fd: STDERR,
    sync: false,
    ...(isShared
      ? { minLength: ATOMIC_WRITE_BYTES / 2, maxWrite: ATOMIC_WRITE_BYTES }
      : { minLength: LOG_BUFFER_BYTES, maxWrite: LOG_WRITE_BYTES }),
    periodicFlush: LOG_FLUSH_INTERVAL_MS,
    maxLength: LOG_MAX_BYTES,
    // With the default, 'utf8', each new line would cause the buffered lines to be measured again.
    contentMode: 'buffer',
  });
  const stream = {
    // Not `output.write.bind(output)`, because pino replaces the method when nobody reads the log any more.
    write: (line: string) => output.write(Buffer.from(visibleLines(line)) as unknown as string),
    flush: (done?: (error?: Error) => void) => output.flush(done),
  };
  const logger = pino(
    {
      level,
      base: null,
      serializers: { err: logError },
      timestamp: () => `,"time":"${formatTimestamp(Date.now())}"`,
    },
    stream,
  );
  let dropped = 0;
  output.on('drop', () => {
    dropped++;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    logger.warn({ dropped }, 'log lines were dropped, because the log was not read fast enough');
    dropped = 0;
  });
  return logger;
}

/** pino adds the messages of the causes, but the message of StoreUnavailable already has them. */
export function logError(error: Error): SerializedError {
  const logged = stdSerializers.err(error);
  if (error instanceof StoreUnavailable) logged.message = error.message;
  return logged;
}
