/** Runs a read that takes longer than others do. `gone` is aborted as soon as nobody waits for its result. */
export type RunLong = <Result>(read: (gone: AbortSignal) => Promise<Result>) => Promise<Result>;

/** For callers that always wait. */
export const runToTheEnd: RunLong = (read) => read(new AbortController().signal);
