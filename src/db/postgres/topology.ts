import type pg from 'pg';
import {
  arrayQuery,
  LIST_SETTINGS,
  LIST_SETTINGS_ON_CITUS,
  type PlanSettings,
  RECORDING_SETTINGS,
  RECORDING_SETTINGS_ON_CITUS,
} from './driver/index.ts';

/**
 * Whether one server has all accounts, or a cluster of Citus. It is read once, when the database is opened.
 *
 * On one server, row-level security is on. On a cluster it is off, because a worker does not know the session's account, and
 * statements have a form that Citus can send to the shard of their account.
 */
export type Topology = (typeof TOPOLOGIES)[number];
export const TOPOLOGIES = ['one server', 'cluster'] as const;

/** A server whose row-level security is off is one that is becoming a cluster: its services already send statements of that form. */
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
