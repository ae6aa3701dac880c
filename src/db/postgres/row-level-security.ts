import { readStatement, type TxStep } from './driver/index.ts';
import type { Topology } from './topology.ts';

const SET_ACCOUNT = readStatement(`SELECT set_config('transactions.account', $1, true)`, (row) => row.text());

/** Names an account to the policies of the tables, for the steps behind it. */
export const setAccount = (account: string): TxStep<string> => ({
  statement: SET_ACCOUNT,
  values: [account],
});

/**
 * The SQL that reads transactions of the account $1. `select` writes the query for an expression of the account.
 *
 * On one server, the statement first names the account to the policy of the table: the subquery `caller` has one row, and the
 * table is read once for that row, without another round trip. On a cluster, the account is a plain parameter, by which Citus
 * finds the shard.
 */
export function selectOfAccount(
  topology: Topology,
  columns: string,
  select: (account: string) => string,
): string {
  if (topology === 'cluster') return select('$1');
  return `SELECT ${columns}
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
${select('caller.account')}
) AS found`;
}
