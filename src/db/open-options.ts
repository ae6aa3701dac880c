export interface OpenDatabaseOptions {
  /** The time limit of one query or write. */
  timeoutMs: number;
  /** True for a copy, because only a copy may open a target whose copy has not ended. */
  isCopyTarget?: boolean;
  /** Draws the random number of each commit that records. By default, the operating system draws it. */
  drawNonce?: (() => number) | undefined;
}
