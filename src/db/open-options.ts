export interface OpenDatabaseOptions {
  timeoutMs: number;
  /** True for the target of a copy: until the copy ends, no other program may open it. */
  isCopyTarget?: boolean;
  /** Returns the random number of a commit. By default, the operating system supplies the number. */
  drawNonce?: (() => number) | undefined;
}
