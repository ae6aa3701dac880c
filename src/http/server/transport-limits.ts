/** For the headers of a request, and for the first request of a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/** A connection is closed if no byte moves for this time. Longer than the longest REQUEST_TIMEOUT. */
export const IDLE_TIMEOUT_MS = 75_000;
/**
 * The kernel accepts more bytes when a third of its buffer is free. For a reader of 5 KB/s and a buffer of 4
 * MiB, that takes 280 s.
 */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
