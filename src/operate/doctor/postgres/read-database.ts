import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type pg from 'pg';
import { isCitus } from '../../../db/postgres/citus.ts';
import { commitsWaitForStandby, readDatabaseFacts } from '../../../db/postgres/database-facts.ts';
import { arrayQuery, onPrimary, parsePostgresUrl, sqlState } from '../../../db/postgres/driver/index.ts';
import { missingRightsTo } from '../../../db/postgres/role-rights.ts';
import { LIMITS } from '../../postgres/open-verify-reader.ts';
import type { DoctorFacts, ReplicationFacts, StandbyFacts } from '../check-database.ts';

interface ReadServer {
  facts: DoctorFacts;
  certificateEndsMs: number | null;
}

export function readDatabase(url: string, replicaUrls: readonly string[]): Promise<ReadServer> {
  const address = parsePostgresUrl(url);
  return onPrimary(address, LIMITS, async ({ client, pooled, missingSettings }) => {
    const server = await readDatabaseFacts(client, { address, replicaUrls });
    const { durability } = server;
    const facts: DoctorFacts = {
      ...server,
      ...(await readRole(client)),
      missing: {
        serving: await missingRightsTo(client, 'serving'),
        recording: await missingRightsTo(client, 'recording'),
      },
      isPooled: pooled || missingSettings !== null,
      durability: durability && { ...durability, waits: commitsWaitForStandby(durability) },
      ...(await replicationOf(client)),
      amcheck: await readAmcheck(client),
    };
    return { facts, certificateEndsMs: certificateEndOf(client) };
  });
}

export const readReplicationFacts = (url: string): Promise<ReplicationFacts> =>
  onPrimary(parsePostgresUrl(url), LIMITS, ({ client }) => replicationOf(client));

const replicationOf = async (client: pg.Client): Promise<ReplicationFacts> => ({
  standbys: await orNone(readStandbys(client)),
  idleSlots: await orNone(readIdleSlots(client)),
  archive: await readArchive(client),
});

function certificateEndOf(client: pg.Client): number | null {
  const stream = client.connection.stream as Socket;
  if (!(stream instanceof TLSSocket)) return null;
  const { valid_to: end } = stream.getPeerCertificate();
  return end === undefined ? null : Date.parse(end);
}

const NO_RIGHT = '42501';

const orNone = <Row>(rows: Promise<Row[]>): Promise<Row[]> =>
  rows.catch((error) => {
    if (sqlState(error) === NO_RIGHT) return [];
    throw error;
  });

async function readRole(client: pg.Client) {
  const { rows } = await client.query<[string, number, number]>(
    arrayQuery(
      `SELECT current_user::text, (SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user), pg_database_size(current_database())`,
    ),
  );
  const [role, isSuperuser, databaseBytes] = rows[0] as [string, number, number];
  return { role, isSuperuser: isSuperuser === 1, databaseBytes };
}

async function readStandbys(client: pg.Client): Promise<StandbyFacts[]> {
  const { rows } = await client.query<[string, string | null, number | null, number | null]>(
    arrayQuery(`SELECT coalesce(nullif(application_name, ''), client_addr::text, 'a standby'), state,
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn)::bigint, (extract(epoch FROM clock_timestamp() - reply_time) * 1000)::bigint
      FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' ORDER BY pid`),
  );
  return rows.map(([name, state, behindBytes, repliedMsAgo]) => ({ name, state, behindBytes, repliedMsAgo }));
}

async function readIdleSlots(client: pg.Client): Promise<{ name: string; keptBytes: number }[]> {
  const { rows } = await client.query<[string, number]>(
    arrayQuery(`SELECT slot_name::text, coalesce(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn), 0)::bigint
      FROM pg_replication_slots WHERE NOT active AND NOT temporary ORDER BY 1`),
  );
  return rows.map(([name, keptBytes]) => ({ name, keptBytes }));
}

const READ_AMCHECK = `SELECT (SELECT rolsuper::int FROM pg_roles WHERE rolname = current_user),
  (EXISTS (SELECT FROM pg_available_extensions WHERE name = 'amcheck'))::int,
  (SELECT min(has_function_privilege(pg_proc.oid, 'EXECUTE')::int) FROM pg_proc
    JOIN pg_depend ON pg_depend.objid = pg_proc.oid AND deptype = 'e' JOIN pg_extension ON pg_extension.oid = refobjid
    WHERE extname = 'amcheck' AND proname = 'bt_index_check')`;

async function readAmcheck(client: pg.Client): Promise<DoctorFacts['amcheck']> {
  if (await isCitus(client)) return 'distributed';
  const { rows } = await client.query<[number, number, number | null]>(arrayQuery(READ_AMCHECK));
  const [isSuperuser, isAvailable, mayExecute] = rows[0] as [number, number, number | null];
  // If amcheck is not installed, `verify` creates it only for the check. Only a superuser may create it.
  if (mayExecute === null) return isSuperuser === 1 && isAvailable === 1 ? 'usable' : 'missing';
  return mayExecute === 1 ? 'usable' : 'forbidden';
}

async function readArchive(client: pg.Client): Promise<DoctorFacts['archive']> {
  const ago = (column: string) => `(extract(epoch FROM clock_timestamp() - ${column}) * 1000)::bigint`;
  const { rows } = await client.query<[number | null, number | null]>(
    arrayQuery(
      `SELECT ${ago('last_archived_time')}, ${ago('last_failed_time')} FROM pg_stat_archiver WHERE current_setting('archive_mode') <> 'off'`,
    ),
  );
  const [row] = rows;
  return row === undefined ? null : { archivedMsAgo: row[0], failedMsAgo: row[1] };
}
