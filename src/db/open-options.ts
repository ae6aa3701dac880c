/** How a database of either kind is opened. */
export interface OpenDatabaseOptions {
  /** The time limit of one query or write. */
  timeoutMs: number;
  /** True for the copy itself, which opens a target whose copy has not ended. */
  isCopyTarget?: boolean;
  /** Refuses a database that is missing, empty or older than the program, without making or migrating it. */
  mustBeMigrated?: boolean;
  /** Draws the random number of each commit that records. Absent: from the operating system. */
  drawNonce?: (() => number) | undefined;
}
