import type pg from 'pg';
import { arrayQuery, readStatement, type TxStep } from './driver/index.ts';

/** Whether row-level security is on for transactions. On Citus it is off: a worker does not know the session's account. */
export async function hasRowLevelSecurity(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<[number]>(
    arrayQuery(`SELECT relrowsecurity::int FROM pg_class WHERE oid = 'transactions'::regclass`),
  );
  return rows[0]?.[0] === 1;
}

const SET_ACCOUNT = readStatement(`SELECT set_config('transactions.account', $1, true)`, (row) => row.text());

/** Names an account to the policies of the tables, for the steps behind it. */
export const setAccount = (account: string): TxStep<string> => ({
  statement: SET_ACCOUNT,
  values: [account],
});

/**
 * The SQL that reads transactions of the account $1. `select` writes the query for an expression of the account.
 *
 * With row-level security, the statement first names the account to the policy of the table: the subquery `caller` has
 * one row, and the table is read once for that row, without another round trip. Without it, the account is a plain
 * parameter, by which Citus finds the shard.
 */
export function selectOfAccount(
  rowLevelSecurity: boolean,
  columns: string,
  select: (account: string) => string,
): string {
  if (!rowLevelSecurity) return select('$1');
  return `SELECT ${columns}
FROM (SELECT set_config('transactions.account', $1, true) AS account OFFSET 0) AS caller
CROSS JOIN LATERAL (
${select('caller.account')}
) AS found`;
}
