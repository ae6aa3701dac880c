import pg from 'pg';
import { StoreRefused, StoreUnavailable } from '../../../core/store.ts';
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
  (SELECT count(*) FROM unnest($1::text[], $2::text[]) AS given (name, value) WHERE current_setting(name) <> value), current_setting('server_encoding')`;

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
    const { rows } = await client.query<[number, number, number, string]>(look);
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

/** What the server reported, of an error or of its cause. */
function reportedError(error: unknown): pg.DatabaseError | undefined {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused) return reportedError(error.cause);
  return error instanceof pg.DatabaseError ? error : undefined;
}

/** In any other encoding, some of the texts that may be recorded can't be kept, or compare in another order. */
function refuseEncoding(encoding: string): void {
  if (encoding === 'UTF8') return;
  throw new StoreRefused(
    `its encoding is ${encoding}, and UTF8 is needed: make another database with createdb --encoding=UTF8 --template=template0. Nothing was changed.`,
  );
}

/** The SQLSTATE of an error that the server reported, or an empty text for any other error. */
export function sqlState(error: unknown): string {
  return reportedError(error)?.code ?? '';
}

function isRefusedByPooler(error: unknown): boolean {
  return /unsupported startup parameter/i.test((error as Error).message);
}

/** Prepared statements of ours that the other end does not know, or knows already: a pooler shares its connections. */
export function isLostStatement(error: unknown): boolean {
  return ['26000', '42P05'].includes(sqlState(error));
}

/**
 * Whether an error is of one statement, so that the connection serves the others. After FATAL and PANIC the server
 * closes it, and what the server did not report came of the connection, as a deadline does.
 */
export function isOfStatement(error: unknown): boolean {
  const reported = reportedError(error);
  if (reported === undefined) return false;
  const { severity } = reported;
  // The server reports the severity in its own language: what is neither word is decided by the class.
  if (severity === 'ERROR') return true;
  return severity !== 'FATAL' && severity !== 'PANIC' && !/^(08|57P0)/.test(sqlState(error));
}

/** Whether a connection leads to a server that only reads, where one that takes writes is needed. */
export function isReadOnly(error: unknown): boolean {
  return sqlState(error) === '25006';
}

/** Whether a statement waited longer for a row than it may. */
export function isHeldRow(error: unknown): boolean {
  return sqlState(error) === '55P03';
}

/** Whether a statement took longer than it may. */
export function isSlowStatement(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** Whether a statement was given up so that others of its kind go on: it succeeds when it is sent again. */
export function isDeadlock(error: unknown): boolean {
  return ['40P01', '40001'].includes(sqlState(error));
}

/** The functions of the server that refuse a row with any code: RAISE in a trigger, and a policy of the table. */
const ROW_REFUSALS: ReadonlySet<string | undefined> = new Set(['exec_stmt_raise', 'ExecWithCheckOptions']);

/** Whether a statement of many rows failed by one of them: its values, a rule of the table, or a trigger of another program. */
export function isOfOneRow(error: unknown): boolean {
  if (!isOfStatement(error)) return false;
  return (
    ROW_REFUSALS.has(reportedError(error)?.routine) || !/^(25|26|42|53|55000|57014|58)/.test(sqlState(error))
  );
}

/**
 * A failing database, told apart from a mistake of ours (wrong data, a broken rule, wrong SQL) and from one that
 * is not set up for the service, where trying again does not help.
 */
export function explainError(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  if (sqlState(error) === '42501') return new StoreRefused(explainFailure(error), { cause: error });
  if (/^(2[1-3]|42|44|P0)/.test(sqlState(error))) return error;
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
      return `this user lacks a right: ${message}. Record, import and make keys as the role that owns the tables. To serve lists as this one, run "transactions migrate" as the owner, with --grant-to for it.`;
    case '53300':
      return 'the server has no connection left. Raise its max_connections, or try again later.';
    case '57P03':
      return `the server is not ready: ${message}. Try again when it is.`;
    case '25006':
      return 'the server only reads: it is a standby, or set so. Name the primary in DATABASE_URL.';
    default:
      return /timeout expired|read timeout/i.test(message)
        ? 'the server does not answer in time. Look whether it runs, and whether a firewall is between.'
        : `the server reports: ${message}.`;
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
