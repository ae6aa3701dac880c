/** For the headers of a request, and for the first request of a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/**
 * A connection with a request is closed if no byte moves for this time: its caller does not read the
 * response, or a stream has stopped. This time is longer than the longest REQUEST_TIMEOUT.
 */
export const IDLE_TIMEOUT_MS = 75_000;
/**
 * An export is cut if the kernel accepts no more of it for this time. The kernel accepts more when a third of
 * its buffer is free again. Linux gives a connection at most 4 MiB, and a caller that reads 5 KB/s frees a
 * third of that in 280 s.
 */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
