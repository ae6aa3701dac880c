/** For the headers of a request, and for the first request of a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/** A connection is closed if no byte moves for this time. Longer than the longest REQUEST_TIMEOUT. */
export const IDLE_TIMEOUT_MS = 75_000;
/** Longer than the 280 s in which a reader of 5 KB/s frees a third of a kernel buffer of 4 MiB. */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
