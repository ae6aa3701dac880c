import type { Db } from '../../db/db.ts';
import { statementsOf } from '../../db/statement.ts';
import type { AccountWatching } from './watched-accounts.ts';

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
