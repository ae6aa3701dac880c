import pg from 'pg';
import { StoreRefused, StoreUnavailable } from '../../core/store.ts';
import type { PostgresAddress } from './address.ts';
import { NO_JIT, optionsOf, type PlanSettings } from './plan-settings.ts';
import { takeRows } from './take-rows.ts';

/** The first version that is tested. Source: postgresql.org/support/versioning. */
export const OLDEST_VERSION = 15;

export interface SessionLimits {
  /** How long a statement may run, and how long a connection may take to be made. */
  statementTimeoutMs: number;
  connectTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

/** A value of a row: whole numbers as numbers, everything else as PostgreSQL writes it. */
export type Value = string | number | null;

const INT8 = 20;
const INT4 = 23;
const asText = (text: string) => text;

/** Minor units and milliseconds stay far below 2^53. */
const TYPES = {
  getTypeParser: (oid: number) => (oid === INT8 || oid === INT4 ? Number : asText),
} as pg.CustomTypesConfig;

/** How a statement is sent so that its rows come as arrays. */
export function arrayQuery(text: string, values: readonly unknown[] = [], name?: string) {
  return {
    text,
    values: values as unknown[],
    rowMode: 'array' as const,
    types: TYPES,
    ...(name !== undefined && { name }),
  };
}

const limitSettings = (limits: SessionLimits) => ({
  statement_timeout: limits.statementTimeoutMs,
  lock_timeout: limits.lockTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
  // A backend whose client is gone stops its work.
  client_connection_check_interval: 1000,
});

export interface ConnectOptions extends SessionLimits {
  pipeline?: boolean;
  /** Settings that the plans of the session are made under. */
  planSettings?: PlanSettings;
}

export interface Connected {
  client: pg.Client;
  inRecovery: boolean;
  /** A pooler in front of the server refused the options of the session. */
  pooled: boolean;
  /** The given settings where the session lacks some of them, because a pooler refused or ignored its options. */
  missingSettings: PlanSettings | null;
}

/** Makes one connection to one host, and looks at what answers there. */
export async function connect(
  url: string,
  addressOptions: string,
  { pipeline = false, planSettings = NO_JIT, ...limits }: ConnectOptions,
): Promise<Connected> {
  const options = `${addressOptions} ${optionsOf({ ...limitSettings(limits), ...planSettings })}`.trim();
  const attempt = { url, pipeline, planSettings, connectTimeoutMs: limits.connectTimeoutMs };
  try {
    return await makeConnection({ ...attempt, options });
  } catch (error) {
    if (!isRefusedByPooler(error)) throw error;
    return { ...(await makeConnection({ ...attempt, options: '' })), pooled: true };
  }
}

interface Attempt {
  url: string;
  options: string;
  pipeline: boolean;
  planSettings: PlanSettings;
  connectTimeoutMs: number;
}

/** What answers: its version, whether it is a standby, and the settings that were asked for and are not there. */
const LOOK = `SELECT current_setting('server_version_num')::int, pg_is_in_recovery()::int,
  (SELECT count(*) FROM unnest($1::text[], $2::text[]) AS given (name, value) WHERE current_setting(name) <> value)`;

async function makeConnection({
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
  if (pipeline) takeRows(client);
  // A lost connection is told to whoever waits on it; without a listener it would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const look = {
      ...arrayQuery(LOOK, [Object.keys(planSettings), Object.values(planSettings)]),
      query_timeout: connectTimeoutMs,
    };
    const { rows } = await client.query<[number, number, number]>(look);
    const [version, inRecovery, missing] = rows[0] as [number, number, number];
    refuseOldServer(version);
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

export const sqlState = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
};

function isRefusedByPooler(error: unknown): boolean {
  return /unsupported startup parameter/i.test((error as Error).message);
}

/** Prepared statements of ours that the other end does not know, or knows already: a pooler shares its connections. */
export function isLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error));
}

/** Whether a connection can't be of use any more: the server stops, or became one that only reads. */
export function isLostConnection(error: unknown): boolean {
  return /^(08|57P0|25006)/.test(sqlState(error));
}

/** A failing database, told apart from a mistake of ours: wrong data, a broken rule, wrong SQL. */
export function explainError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (/^(22|23|42)/.test(sqlState(error)) && sqlState(error) !== '42501') return error;
  return new StoreUnavailable(`the database can't answer: ${(error as Error).message}`, { cause: error });
}

/** Why a database could not be opened, and what to do, as a sentence. */
export function explainFailure(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there. Start the server, or correct DATABASE_URL.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its host name is not known. Correct DATABASE_URL.';
    case '28P01':
    case '28000':
      return 'the server refuses the user or the password. Correct DATABASE_URL.';
    case '3D000':
      return 'the server has no such database. Create it with createdb, or correct DATABASE_URL.';
    case '42501':
      return `this user lacks a right: ${message}. Run "transactions migrate" as the owner, with --grant-to for this user.`;
    case '53300':
      return 'the server has no connection left. Raise its max_connections, or try again later.';
    case '57P03':
      return `the server is not ready: ${message}. Try again when it is.`;
    case '25006':
      return 'the server only reads: it is a standby, or set so. Name the primary in DATABASE_URL.';
    default:
      return /timeout expired|read timeout/i.test(message)
        ? 'the server does not answer in time. Look whether it runs, and whether a firewall is between.'
        : `it can't be opened: ${message}.`;
  }
}

/** Makes one connection to the first host that takes writes, or to the only host, whatever it takes. */
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
