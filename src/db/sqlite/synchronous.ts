/** Calls of a port as SQLite answers them on the thread that has the connection: at once. */
export type Synchronous<Port, Name extends keyof Port = keyof Port> = {
  [Each in Name]: Port[Each] extends (...values: infer Values) => Promise<infer Result>
    ? (...values: Values) => Result
    : never;
};
