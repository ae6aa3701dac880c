/** For the headers of a request, and for the first request of a new connection. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/** A connection without traffic is closed after this time, which is longer than any REQUEST_TIMEOUT. */
export const IDLE_TIMEOUT_MS = 75_000;
/** A reader of 5 KB/s needs 280 s to free a third of a kernel buffer of 4 MiB. Bytes move only then. */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
