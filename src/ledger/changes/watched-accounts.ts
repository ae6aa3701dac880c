export interface MovedAccounts {
  /** For the next call; null if the store can't say which accounts moved. */
  mark: string | null;
  /** Null if any account may have moved. */
  accounts: readonly string[] | null;
}

/**
 * The accounts whose changes somebody waits for, even if another process records them. Each recording of a
 * watched account marks it, so that other accounts are not read.
 */
export interface AccountWatching {
  /**
   * The watched accounts that moved since the call that returned a mark: changes of them were recorded, or
   * endpoints of webhooks changed by a request. A recording that began before its account was watched, and
   * ended later, is not among them.
   *
   * `accounts` is null if no mark is given, or if the database is another one or has an earlier state than
   * the mark.
   */
  listMovedAccounts(mark: string | null): Promise<MovedAccounts>;
  /** Watches accounts. A request that creates an endpoint does so for its account. */
  watchAccounts(accounts: readonly string[]): Promise<void>;
}
