import type { DatabaseSync } from 'node:sqlite';
import { prepared } from '../../../db/sqlite/prepared.ts';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import { statementsOf } from '../../../db/statement.ts';
import type { AccountWatching, MovedAccounts } from '../watched-accounts.ts';

const WATCHING = statementsOf(new URL('./watched-accounts.sql', import.meta.url));

/** The reads of AccountWatching. */
export function movedAccountLister(db: DatabaseSync): {
  listMovedAccounts(mark: string | null): MovedAccounts;
} {
  const last = prepared<[moved: number]>(db, WATCHING('readLastMoved'));
  const list = prepared<[account: string, moved: number]>(db, WATCHING('listMoved'));
  return {
    listMovedAccounts: (mark) => {
      const [moved] = last.get({}) as [number];
      if (mark === null || moved < Number(mark)) return { mark: String(moved), accounts: null };
      // The next call goes on with the others.
      const rows = moved === Number(mark) ? [] : list.all({ mark: Number(mark) });
      return { mark: String(rows.at(-1)?.[1] ?? mark), accounts: rows.map(([account]) => account) };
    },
  };
}

/** The writes of AccountWatching, inside the caller's transaction of the database. */
export type AccountWatcher = Synchronous<AccountWatching, 'watchAccounts'>;

export function accountWatcher(db: DatabaseSync): AccountWatcher {
  const watch = prepared(db, WATCHING('watch'));
  return {
    watchAccounts: (accounts) => {
      for (const account of accounts) watch.run({ account });
    },
  };
}

/** Marks an account that is watched. Belongs to the transaction of the database in which it moves. */
export function moveMarker(db: DatabaseSync): (account: string) => void {
  const mark = prepared(db, WATCHING('markMoved'));
  return (account) => {
    mark.run({ account });
  };
}
