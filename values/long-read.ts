/** `gone` is aborted as soon as nobody waits for the result. */
export type RunLong = <Result>(read: (gone: AbortSignal) => Promise<Result>) => Promise<Result>;

export const runToTheEnd: RunLong = (read) => read(new AbortController().signal);
