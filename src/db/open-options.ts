export interface OpenDatabaseOptions {
  /** The time limit of one query or write. */
  timeoutMs: number;
  /** True for a copy. While a copy has not ended, no other program may open its target. */
  isCopyTarget?: boolean;
  /** Draws the random number of each commit that records. By default, it comes from the operating system. */
  drawNonce?: (() => number) | undefined;
}
