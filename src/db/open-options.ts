export interface OpenDatabaseOptions {
  /** The time limit of one query or write. */
  timeoutMs: number;
  /** True for a copy, because only a copy may open a target whose copy has not ended. */
  isCopyTarget?: boolean;
  /** Refuses a database that is missing, empty or older than the program. Creates and migrates nothing. */
  mustBeMigrated?: boolean;
  /** Draws the random number of each commit that records. By default, the operating system draws it. */
  drawNonce?: (() => number) | undefined;
}
