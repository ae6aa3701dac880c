/** Runs a long read. `gone` is aborted as soon as nobody waits for the result. */
export type RunLong = <Result>(read: (gone: AbortSignal) => Promise<Result>) => Promise<Result>;

/** For callers that always wait for the result. */
export const runToTheEnd: RunLong = (read) => read(new AbortController().signal);
