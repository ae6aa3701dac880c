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

/** A cluster runs Citus. Row-level security is off on a cluster: see `disableRowLevelSecurity`. */
export type Topology = (typeof TOPOLOGIES)[number];
export const TOPOLOGIES = ['one server', 'cluster'] as const;

/** Returns 'cluster' if row-level security is off, even before tables are distributed (docs/citus.md). */
export async function readTopology(client: pg.Client): Promise<Topology> {
  const { rows } = await client.query<[number]>(
    arrayQuery(`SELECT relrowsecurity::int FROM pg_class WHERE oid = 'transactions'::regclass`),
  );
  return rows[0]?.[0] === 1 ? 'one server' : 'cluster';
}

export const planSettingsOf = (topology: Topology): Record<'list' | 'recording', PlanSettings> =>
  topology === 'one server'
    ? { list: LIST_SETTINGS, recording: RECORDING_SETTINGS }
    : { list: LIST_SETTINGS_ON_CITUS, recording: RECORDING_SETTINGS_ON_CITUS };

const SET_ACCOUNT = readStatement(`SELECT set_config('transactions.account', $1, true)`, (row) => row.text());

export const setAccount = (account: string): TxStep<string> => ({
  statement: SET_ACCOUNT,
  values: [account],
});

/**
 * `select` must use its argument, not $1. On one server, only the argument makes set_config run first.
 * Without set_config, row-level security hides all rows.
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
