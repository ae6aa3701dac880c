import { destination, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/settings.ts';
import { formatTimestamp } from '../core/calendar.ts';
import { visibleLines } from './visible.ts';

const LOG_FLUSH_INTERVAL_MS = 500;
/** Each write wakes a thread, which costs as much as some dozen lines. */
const LOG_BUFFER_BYTES = 32_768;
const LOG_WRITE_BYTES = 65_536;
/** Some 80,000 lines that nobody took yet: what comes then is dropped and counted, so that no reader of the log can fill the memory. */
const LOG_MOST_BYTES = 16 * 2 ** 20;
/** Of a pipe that several processes write to: what is no larger is never torn. Source: pipe(7), PIPE_BUF. */
const WHOLE_WRITE_BYTES = 4096;

const STDERR = 2;

/**
 * Log lines gather for a moment, because a write for each request would cost more than the request.
 *
 * Where several processes write to one pipe, they write less at once, so that no line is torn by another.
 */
export function createLogger(level: LogLevel, { isShared = false } = {}): Logger {
  const output = destination({
    fd: STDERR,
    sync: false,
    ...(isShared
      ? { minLength: WHOLE_WRITE_BYTES / 2, maxWrite: WHOLE_WRITE_BYTES }
      : { minLength: LOG_BUFFER_BYTES, maxWrite: LOG_WRITE_BYTES }),
    periodicFlush: LOG_FLUSH_INTERVAL_MS,
    maxLength: LOG_MOST_BYTES,
    contentMode: 'buffer',
  });
  const stream = {
    // Text would be measured anew with each line that joins it. That it takes bytes, its type does not tell. Where
    // nobody reads the log any more, pino replaces this method by one that does nothing: it is not kept.
    write: (line: string) => output.write(Buffer.from(visibleLines(line)) as unknown as string),
    flush: (done?: (error?: Error) => void) => output.flush(done),
  };
  const logger = pino(
    { level, base: null, timestamp: () => `,"time":"${formatTimestamp(Date.now())}"` },
    stream,
  );
  let dropped = 0;
  output.on('drop', () => {
    dropped++;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    logger.warn({ dropped }, 'lines of the log were dropped, because nobody read it');
    dropped = 0;
  });
  return logger;
}
