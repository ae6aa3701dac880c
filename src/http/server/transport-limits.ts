/** The time for the headers of a request, and for a new connection until its first request begins. */
export const HEADERS_TIMEOUT_MS = 10_000;
/** The time in which a whole request must arrive, unless its body is a stream. */
export const ARRIVAL_TIMEOUT_MS = 15_000;
/** A connection without traffic is closed after this time, which is longer than any REQUEST_TIMEOUT. */
export const IDLE_TIMEOUT_MS = 75_000;
/**
 * An export is cut if the kernel's buffer takes no bytes for this long. A full buffer takes bytes again only
 * after the caller has read a large part of it. If the caller reads 5 KB/s, this takes 280 s.
 */
export const EXPORT_READER_TIMEOUT_MS = 300_000;
