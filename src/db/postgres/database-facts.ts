import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type pg from 'pg';
import { arrayQuery, type PostgresAddress, parsePostgresUrl, readColumn, sqlState } from './driver/index.ts';

export interface DatabaseFacts {
  isEncrypted: boolean;
  isLocal: boolean;
  /** True if the address has `sslmode=disable`: the operator wants plain text. */
  isPlainTextMeant: boolean;
  /** The remote hosts of replicas whose addresses have no `sslmode`. */
  plainTextReplicas: readonly string[];
  /** The timeouts that the session lacks because a pooler dropped them. */
  missingTimeouts: readonly string[];
  canSeal: boolean;
  /** Null if the role can't read the replication catalog. */
  durability: Durability | null;
}

interface Durability {
  isFsyncOn: boolean;
  hasStandbys: boolean;
  synchronousStandbyNames: string;
  /** The level at which sessions of the service commit: `local` or safer. */
  commitLevel: string;
}

/** A role without special rights reads each `state` as NULL, so IS DISTINCT FROM is used instead of <>. */
const READ_DURABILITY = `SELECT (current_setting('fsync') = 'on')::int,
  (EXISTS (SELECT FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup' AND NOT EXISTS (
      SELECT FROM pg_replication_slots WHERE slot_type = 'logical' AND active_pid = pg_stat_replication.pid))
    OR EXISTS (SELECT FROM pg_replication_slots WHERE slot_type = 'physical' AND NOT temporary))::int,
  current_setting('synchronous_standby_names'), current_setting('synchronous_commit')`;
type DurabilityRow = [isFsyncOn: number, hasStandbys: number, names: string, level: string];

const TIMEOUTS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
  'client_connection_check_interval',
];
const READ_MISSING =
  "SELECT name FROM unnest($1::text[]) AS timeouts (name) WHERE current_setting(name) = '0'";

async function readCanSeal(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<[number]>(
    arrayQuery("SELECT has_table_privilege('seals', 'INSERT')::int"),
  );
  return rows[0]?.[0] === 1;
}

const NO_RIGHT = '42501';

/** The service expects standbys if the address has several hosts, or if there are addresses of replicas. */
interface Expected {
  address: PostgresAddress;
  replicaUrls?: readonly string[] | undefined;
}

export async function readDatabaseFacts(client: pg.Client, expected: Expected): Promise<DatabaseFacts> {
  const stream = client.connection.stream as Socket;
  const { urls } = expected.address;
  return {
    isEncrypted: stream instanceof TLSSocket,
    isLocal: isLocalAddress(stream.remoteAddress),
    isPlainTextMeant: urls.every((url) => new URL(url).searchParams.get('sslmode') === 'disable'),
    plainTextReplicas: plainTextHosts(expected.replicaUrls ?? []),
    missingTimeouts: await readColumn(client, READ_MISSING, [TIMEOUTS]),
    canSeal: await readCanSeal(client),
    durability: await readDurability(client, expected),
  };
}

async function readDurability(
  client: pg.Client,
  { address, replicaUrls = [] }: Expected,
): Promise<Durability | null> {
  const { rows } = await client.query<DurabilityRow>(arrayQuery(READ_DURABILITY)).catch((error) => {
    if (sqlState(error) === NO_RIGHT) return { rows: [] };
    throw error;
  });
  if (rows.length === 0) return null;
  const [isFsyncOn, hasStandbys, synchronousStandbyNames, commitLevel] = rows[0] as DurabilityRow;
  return {
    isFsyncOn: isFsyncOn === 1,
    hasStandbys: hasStandbys === 1 || address.urls.length > 1 || replicaUrls.length > 0,
    synchronousStandbyNames,
    commitLevel,
  };
}

export const commitsWaitForStandby = ({ synchronousStandbyNames, commitLevel }: Durability) =>
  synchronousStandbyNames !== '' && commitLevel !== 'local';

/** Lists the remote hosts in addresses without `sslmode`. Any host name except localhost counts as remote. */
export const plainTextHosts = (urls: readonly string[]): string[] =>
  urls
    .flatMap((url) => parsePostgresUrl(url).urls)
    .map((url) => new URL(url))
    .filter(({ searchParams }) => !searchParams.has('sslmode'))
    .map(({ hostname, searchParams }) => searchParams.get('host') ?? hostname.replace(/^\[|\]$/g, ''))
    .filter((host) => host !== '' && host !== 'localhost' && !host.startsWith('/') && !isLocalAddress(host));

/** Undefined means a Unix socket, which has no address. */
const isLocalAddress = (address: string | undefined) =>
  address === undefined || /^(?:::ffff:)?127\.|^::1$/.test(address);
