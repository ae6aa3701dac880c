import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_NOW_MS } from '../../../db/sqlite/database-clock.ts';
import type { Synchronous } from '../../../db/sqlite/synchronous.ts';
import type { AccountWatching, MovedAccounts } from '../watched-accounts.ts';

/** Larger than all before, also if the clock was set back or is not finer. */
const NEXT = `max(${DATABASE_NOW_MS}, (SELECT coalesce(max(moved), 0) + 1 FROM watched_accounts))`;

/** The number of accounts that are read at once. The next call goes on with the others. */
const PAGE = 10_000;

const LIST = `SELECT account, moved FROM watched_accounts WHERE moved > ? ORDER BY moved LIMIT ${PAGE}`;

/** The reads of AccountWatching. */
export function movedAccountLister(db: DatabaseSync): {
  listMovedAccounts(mark: string | null): MovedAccounts;
} {
  const last = db.prepare('SELECT coalesce(max(moved), 0) AS moved FROM watched_accounts');
  const list = db.prepare(LIST);
  return {
    listMovedAccounts: (mark) => {
      const { moved } = last.get() as { moved: number };
      if (mark === null || moved < Number(mark)) return { mark: String(moved), accounts: null };
      const rows = moved === Number(mark) ? [] : list.all(Number(mark));
      return {
        mark: String(rows.at(-1)?.['moved'] ?? mark),
        accounts: rows.map((row) => row['account'] as string),
      };
    },
  };
}

/** The writes of AccountWatching, inside the caller's transaction of the database. */
export type AccountWatcher = Synchronous<AccountWatching, 'watchAccounts'>;

export function accountWatcher(db: DatabaseSync): AccountWatcher {
  const watch = db.prepare(
    'INSERT INTO watched_accounts (account, moved) VALUES (?, 0) ON CONFLICT (account) DO NOTHING',
  );
  return {
    watchAccounts: (accounts) => {
      for (const account of accounts) watch.run(account);
    },
  };
}

/** Marks an account that is watched. Belongs to the transaction of the database in which it moves. */
export function moveMarker(db: DatabaseSync): (account: string) => void {
  const mark = db.prepare(`UPDATE watched_accounts SET moved = ${NEXT} WHERE account = ?`);
  return (account) => {
    mark.run(account);
  };
}
