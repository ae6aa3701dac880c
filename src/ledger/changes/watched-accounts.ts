import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';

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

const sql = statementsOf(new URL('./watched-accounts.sql', import.meta.url));
const LIST_MOVED = sql('listMoved', (row) => ({
  mark: row.text(),
  isEarlier: row.integer() === 1,
  accounts: JSON.parse(row.text()) as string[],
}));
const WATCH = sql('watchAccounts');
export const MARK_MOVED = sql('markMoved');

export const accountWatching = (db: Db): AccountWatching => ({
  listMovedAccounts: async (given) => {
    const [read] = await db.read(LIST_MOVED, { mark: given });
    if (read === undefined) return { mark: null, accounts: null };
    const { mark, isEarlier, accounts } = read;
    return { mark, accounts: given === null || isEarlier ? null : accounts };
  },
  watchAccounts: async (accounts) => {
    await db.write({ turn: 'first', isUnsynced: true }, [
      { statement: WATCH, values: { accounts: JSON.stringify(accounts) } },
    ]);
  },
});
