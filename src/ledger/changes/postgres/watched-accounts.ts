import { arrayText, type BackgroundConnections, readStatement } from '../../../db/postgres/driver/index.ts';
import type { Topology } from '../../../db/postgres/topology.ts';
import type { AccountWatching } from '../watched-accounts.ts';

/** The turns of these statements among the background work: no account has this name. */
const WATCHING = '*watching';

/**
 * The mark is a snapshot. A row is new if it is visible, and its transaction was not in the snapshot before, in whatever order transactions end. Rows
 * of a restored dump can have numbers that this database has not reached.
 */
const LIST = readStatement(
  `SELECT now.snapshot::text, ((pg_snapshot_xmax(now.snapshot) < pg_snapshot_xmax(before.snapshot)) IS TRUE)::int::bigint,
  coalesce((SELECT json_agg(account)::text FROM watched_accounts
    WHERE moved >= pg_snapshot_xmin(before.snapshot) AND moved < pg_snapshot_xmax(now.snapshot)
      AND NOT pg_visible_in_snapshot(moved, before.snapshot)), '[]')
FROM (SELECT pg_current_snapshot() AS snapshot) AS now, (SELECT $2::pg_snapshot AS snapshot) AS before WHERE $1 <> ''`,
  (row) => ({
    mark: row.text(),
    isEarlier: row.integer() === 1,
    accounts: JSON.parse(row.text()) as string[],
  }),
);

/** In one order, so that two instances never wait for each other. */
const WATCH = readStatement(
  `INSERT INTO watched_accounts (account, moved)
SELECT account, pg_current_xact_id() FROM unnest($1::text[]) AS account ORDER BY account ON CONFLICT (account) DO NOTHING`,
  () => undefined,
);

/** Marks the account of each row of a query, if it is watched: the statement belongs to the transaction of the database in which it moves. */
export const markMovedSql = (rows: string): string =>
  `UPDATE watched_accounts SET moved = pg_current_xact_id() FROM (${rows}) AS moving
  WHERE watched_accounts.account = ANY(ARRAY[moving.account])`;

/** The workers of a cluster number their transactions each for itself: there, any account may have moved. */
export function accountWatching(background: BackgroundConnections, topology: Topology): AccountWatching {
  return {
    listMovedAccounts: async (mark) => {
      if (topology === 'cluster') return { mark: null, accounts: null };
      const [read] = await background.read(LIST, [WATCHING, mark]);
      if (read === undefined) throw new Error('a statement without a table returned no row');
      return { mark: read.mark, accounts: mark === null || read.isEarlier ? null : read.accounts };
    },
    watchAccounts: async (accounts) => {
      if (topology === 'one server')
        await background.transact(WATCHING, [{ statement: WATCH, values: [arrayText(accounts)] }]);
    },
  };
}
