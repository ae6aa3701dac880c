import type pg from 'pg';
import {
  arrayQuery,
  LIST_SETTINGS,
  LIST_SETTINGS_ON_CITUS,
  type PlanSettings,
  RECORDING_SETTINGS,
  RECORDING_SETTINGS_ON_CITUS,
  readStatement,
  type TxStep,
} from './driver/index.ts';

/**
 * The topology: one server that has all accounts, or a cluster of Citus. It is read once, when the database
 * is opened.
 *
 * On one server, row-level security is on. On a cluster it is off, because a worker does not know the
 * session's account, and statements have a form that Citus can send to the shard of their account.
 */
export type Topology = (typeof TOPOLOGIES)[number];
export const TOPOLOGIES = ['one server', 'cluster'] as const;

/**
 * A server without row-level security is being turned into a cluster, so its services already send statements
 * in that form.
 */
export async function readTopology(client: pg.Client): Promise<Topology> {
  const { rows } = await client.query<[number]>(
    arrayQuery(`SELECT relrowsecurity::int FROM pg_class WHERE oid = 'transactions'::regclass`),
  );
  return rows[0]?.[0] === 1 ? 'one server' : 'cluster';
}

/** The planner's settings of connections that list, and of those that record. */
export const planSettingsOf = (topology: Topology): Record<'list' | 'recording', PlanSettings> =>
  topology === 'one server'
    ? { list: LIST_SETTINGS, recording: RECORDING_SETTINGS }
    : { list: LIST_SETTINGS_ON_CITUS, recording: RECORDING_SETTINGS_ON_CITUS };

const SET_ACCOUNT = readStatement(`SELECT set_config('transactions.account', $1, true)`, (row) => row.text());

/** Names an account to the policies of the tables, for the steps behind it. */
export const setAccount = (account: string): TxStep<string> => ({
  statement: SET_ACCOUNT,
  values: [account],
});

/**
 * The SQL that reads transactions of the account $1. `select` writes the query for an expression of the
 * account.
 *
 * On one server, the statement first names the account to the policy of the table: the subquery `caller` has
 * one row, and the table is read once for that row, without another round trip. On a cluster, the account is
 * a plain parameter, by which Citus finds the shard.
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
