export interface OpenDatabaseOptions {
  /** The time limit of one query or write. */
  timeoutMs: number;
  /** True for the target of a copy: until the copy ends, no other program may open it. */
  isCopyTarget?: boolean;
  /** The random number of each commit that records. By default, from the operating system. */
  drawNonce?: (() => number) | undefined;
}
