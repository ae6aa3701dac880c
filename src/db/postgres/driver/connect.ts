import pg from 'pg';
import { StoreRefused, StoreUnavailable } from '../../../values/store-errors.ts';
import type { PostgresAddress } from './address.ts';
import { isRefusedByPooler } from './errors.ts';
import { routeBatchMessages } from './message-router.ts';
import { NO_JIT, optionsOf, type PlanSettings } from './plan-settings.ts';
import { arrayQuery } from './statement.ts';

/** The oldest version that is tested. Source: postgresql.org/support/versioning. */
export const OLDEST_VERSION = 15;

export interface SessionLimits {
  statementTimeoutMs: number;
  /** How long connecting can take. */
  connectTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

const limitSettings = (limits: SessionLimits) => ({
  statement_timeout: limits.statementTimeoutMs,
  lock_timeout: limits.lockTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
  // A backend whose client is gone cancels its statement.
  client_connection_check_interval: 1000,
  // At any other level, recordings of one account that wait for each other would fail.
  default_transaction_isolation: 'read committed',
});

export interface ConnectOptions extends SessionLimits {
  pipeline?: boolean;
  planSettings?: PlanSettings;
}

export interface Connected {
  client: pg.Client;
  inRecovery: boolean;
  /** A pooler in front of the server refused the options of the session. */
  pooled: boolean;
  /** The plan settings that the session lacks because a pooler refused or ignored its options, or null. */
  missingSettings: PlanSettings | null;
}

/** Connects to the first host that takes writes, or to the only host. */
export async function connectToPrimary(
  { urls, options }: PostgresAddress,
  connectOptions: ConnectOptions,
): Promise<Connected> {
  let failure: unknown;
  for (const url of urls) {
    try {
      const connected = await connect(url, options, connectOptions);
      if (!connected.inRecovery || urls.length === 1) return connected;
      connected.client.end().catch(() => {});
      failure ??= new StoreUnavailable('none of the hosts is a primary');
    } catch (error) {
      if (error instanceof StoreRefused) throw error;
      failure = error;
    }
  }
  throw failure;
}

/** Connects to one host, and checks its server. */
export async function connect(
  url: string,
  addressOptions: string,
  { pipeline = false, planSettings = NO_JIT, ...limits }: ConnectOptions,
): Promise<Connected> {
  const options = `${addressOptions} ${optionsOf({ ...limitSettings(limits), ...planSettings })}`.trim();
  const attempt = { url, pipeline, planSettings, connectTimeoutMs: limits.connectTimeoutMs };
  try {
    return await tryToConnect({ ...attempt, options });
  } catch (error) {
    if (!isRefusedByPooler(error)) throw error;
    return { ...(await tryToConnect({ ...attempt, options: '' })), pooled: true };
  }
}

interface Attempt {
  url: string;
  options: string;
  pipeline: boolean;
  planSettings: PlanSettings;
  connectTimeoutMs: number;
}

/** The server's version, whether it is a standby, how many plan settings the session lacks, and the encoding. */
const DESCRIBE_SERVER = `SELECT current_setting('server_version_num')::int, pg_is_in_recovery()::int,
  (SELECT count(*) FROM unnest($1::text[], $2::text[]) AS given (name, value) WHERE current_setting(name) <> value), current_setting('server_encoding')`;

async function tryToConnect({
  url,
  options,
  pipeline,
  planSettings,
  connectTimeoutMs,
}: Attempt): Promise<Connected> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'transactions',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    pipeline,
    ...(options !== '' && { options }),
  } as pg.ClientConfig);
  if (pipeline) routeBatchMessages(client);
  // The queries in flight report a lost connection. An error event without a listener would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const describeServer = {
      ...arrayQuery(DESCRIBE_SERVER, [Object.keys(planSettings), Object.values(planSettings)]),
      query_timeout: connectTimeoutMs,
    };
    const { rows } = await client.query<[number, number, number, string]>(describeServer);
    const [version, inRecovery, missing, encoding] = rows[0] as [number, number, number, string];
    refuseOldServer(version);
    refuseEncoding(encoding);
    return {
      client,
      inRecovery: inRecovery === 1,
      pooled: false,
      missingSettings: missing === 0 ? null : planSettings,
    };
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

/** Units: as PostgreSQL numbers its versions, 150003 for 15.3. */
export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_VERSION) return;
  throw new StoreRefused(
    `it runs on PostgreSQL ${major}, and ${OLDEST_VERSION} or later is needed: upgrade the server. Nothing was changed.`,
  );
}

/** Other encodings can't store every valid text, or compare texts in another order. */
function refuseEncoding(encoding: string): void {
  if (encoding === 'UTF8') return;
  throw new StoreRefused(
    `its encoding is ${encoding}, and UTF8 is needed: make another database with createdb --encoding=UTF8 --template=template0. Nothing was changed.`,
  );
}
