/** For the headers of a request to arrive, and for the first request of a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request to arrive, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/**
 * A connection with a request is closed if no byte moves for this time: the caller does not read the
 * response, or a stream has stopped. It is longer than the longest REQUEST_TIMEOUT.
 */
export const IDLE_TIMEOUT_MS = 75_000;
/**
 * An export is cut if the kernel takes nothing more of it for this time. The kernel takes more when a third
 * of its buffer is free again: of the 4 MiB that Linux gives a connection at most, a caller that reads 5 KB/s
 * frees that in 280 s.
 */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
