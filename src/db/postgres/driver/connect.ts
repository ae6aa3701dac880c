/// <reference path="./pgpass.d.ts" />
import pg from 'pg';
import pgpass from 'pgpass';
import { sentence } from '../../../../values/sentence.ts';
import { StoreRefused, StoreUnavailable } from '../../../../values/store-errors.ts';
import type { PostgresAddress } from './address.ts';
import { asRefused, isRefusedByPooler } from './errors.ts';
import { routeBatchMessages } from './message-router.ts';
import { NO_JIT, optionsOf, type PlanSettings } from './plan-settings.ts';
import { arrayQuery } from './statement.ts';

/** Results depend on these settings, which a server, a database or a role can set differently. */
const RELIED_ON: Readonly<Record<string, string>> = {
  // At a higher level, one of two simultaneous recordings for an account can fail.
  default_transaction_isolation: 'read committed',
  // If `array_nulls` is off, NULL in the text of an array is read as the word "NULL".
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  transform_null_equals: 'off',
  // If `quote_all_identifiers` is on, definitions in the catalog seem to differ from those in migrations.
  quote_all_identifiers: 'off',
  // If `row_security` is off, a policy makes a statement fail instead of filtering its rows.
  row_security: 'on',
  // If `exit_on_error` is on, a failed statement closes the connection, which other requests use too.
  exit_on_error: 'off',
};

/** If the session lacks this setting, a pooler refused or ignored all settings. */
const OWN_SESSION = { 'transactions.session': 'own' };

const CAN_BE_LOST = 'off';
const LEAST_COMMIT = 'local';

const COMMIT_LEVEL = `CASE current_setting('synchronous_commit') WHEN '${CAN_BE_LOST}' THEN '${LEAST_COMMIT}' ELSE current_setting('synchronous_commit') END`;

function wrongSettings(found: Readonly<Record<string, string>>): [name: string, needed: string][] {
  const wrong = Object.entries(RELIED_ON).filter(([name, needed]) => found[name] !== needed);
  if (found['synchronous_commit'] === CAN_BE_LOST) wrong.push(['synchronous_commit', LEAST_COMMIT]);
  return wrong;
}

/** The oldest version that is tested. Source: postgresql.org/support/versioning. */
export const OLDEST_VERSION = 15;

export interface SessionLimits {
  statementTimeoutMs: number;
  connectTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionTimeoutMs: number;
}

export const limitSettings = (limits: SessionLimits) => ({
  statement_timeout: limits.statementTimeoutMs,
  lock_timeout: limits.lockTimeoutMs,
  idle_in_transaction_session_timeout: limits.idleInTransactionTimeoutMs,
  // Makes the server cancel the statement of a client that is gone.
  client_connection_check_interval: 1000,
  idle_session_timeout: 0,
});

interface ConnectOptions extends SessionLimits {
  pipeline?: boolean;
  planSettings?: PlanSettings;
}

export interface Connected {
  client: pg.Client;
  inRecovery: boolean;
  /** True if a pooler in front of the server refused the session's options. */
  pooled: boolean;
  /** The plan settings that the session lacks, because a pooler refused or ignored its options. */
  missingSettings: PlanSettings | null;
}

/** After this time, the next host is also tried. The time is short, because queries wait for a connection. */
const NEXT_HOST_AFTER_MS = 250;

export async function connectToPrimary(
  { urls, options }: PostgresAddress,
  connectOptions: ConnectOptions,
): Promise<Connected> {
  const [only, other] = urls;
  if (only !== undefined && other === undefined) return connect(only, options, connectOptions);
  const nextAfterMs = Math.min(NEXT_HOST_AFTER_MS, connectOptions.connectTimeoutMs / (2 * urls.length));
  return firstPrimary(urls, nextAfterMs, (url) => connect(url, options, connectOptions));
}

/** Throws: StoreRefused. */
export async function onPrimary<Result>(
  address: PostgresAddress,
  connectOptions: ConnectOptions,
  work: (connected: Connected) => Promise<Result>,
): Promise<Result> {
  try {
    const connected = await connectToPrimary(address, connectOptions);
    try {
      return await work(connected);
    } finally {
      await connected.client.end();
    }
  } catch (error) {
    throw asRefused(error);
  }
}

function firstPrimary(
  urls: readonly string[],
  nextAfterMs: number,
  connectTo: (url: string) => Promise<Connected>,
): Promise<Connected> {
  const { promise, resolve, reject } = Promise.withResolvers<Connected>();
  let failure: unknown;
  const standbys: string[] = [];
  let begun = 0;
  let ended = 0;
  let isSettled = false;
  let next: NodeJS.Timeout | undefined;
  const settle = () => {
    isSettled = true;
    clearTimeout(next);
  };
  const begin = () => {
    clearTimeout(next);
    const url = urls[begun];
    if (isSettled || url === undefined) return;
    begun++;
    next = setTimeout(begin, nextAfterMs);
    attempt(url).finally(() => {
      ended++;
      if (ended === urls.length) reject(standbys.length === 0 ? failure : noPrimary(standbys, failure));
      else begin();
    });
  };
  const attempt = async (url: string) => {
    try {
      const connected = await connectTo(url);
      if (!isSettled && connected.inRecovery)
        standbys.push(`host ${urls.indexOf(url) + 1} (${hostOf(connected)})`);
      if (isSettled || connected.inRecovery) return void connected.client.end().catch(() => {});
      settle();
      resolve(connected);
    } catch (error) {
      failure = error;
      if (!(error instanceof StoreRefused)) return;
      settle();
      reject(error);
    }
  };
  begin();
  return promise;
}

const hostOf = ({ client }: Connected) => `${client.host}:${client.port}`;

function noPrimary(standbys: readonly string[], failure: unknown): StoreUnavailable {
  const others = failure === undefined ? '' : `, and no other host answers: ${(failure as Error).message}`;
  const found = `${standbys.join(' and ')} of DATABASE_URL ${standbys.length > 1 ? 'are standbys' : 'is a standby'}${others}`;
  return new StoreUnavailable('no_primary', `${sentence(found)} Start the primary, or promote a standby`, {
    cause: failure,
  });
}

export async function connect(
  url: string,
  addressOptions: string,
  { pipeline = false, planSettings = NO_JIT, ...limits }: ConnectOptions,
): Promise<Connected> {
  const settings = { ...limitSettings(limits), ...RELIED_ON, ...OWN_SESSION, ...planSettings };
  const options = `${addressOptions} ${optionsOf(settings)}`.trim();
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

/**
 * Also sets `synchronous_commit` for the session, so that a later change on the server cannot lose writes.
 * A pooler's session is left as it is, because other programs may use it too.
 */
const DESCRIBE_SERVER = `SELECT current_setting('server_version_num')::int, pg_is_in_recovery()::int,
  (SELECT count(*) FROM unnest($1::text[], $2::text[]) AS given (name, value) WHERE current_setting(name) <> value), current_setting('server_encoding'),
  CASE WHEN ${Object.entries(OWN_SESSION).map(([name, value]) => `current_setting('${name}', true) = '${value}'`)}
    THEN set_config('synchronous_commit', ${COMMIT_LEVEL}, false) ELSE current_setting('synchronous_commit') END,
  (SELECT json_object_agg(name, current_setting(name))::text FROM unnest($3::text[]) AS relied_on (name))`;
type Description = [
  version: number,
  inRecovery: number,
  missing: number,
  encoding: string,
  commitLevel: string,
  reliedOn: string,
];

async function tryToConnect({
  url,
  options,
  pipeline,
  planSettings,
  connectTimeoutMs,
}: Attempt): Promise<Connected> {
  const client = createClient({
    connectionString: url,
    application_name: 'transactions',
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    pipeline,
    ...(options !== '' && { options }),
  } as pg.ClientConfig);
  if (pipeline) routeBatchMessages(client);
  // Without a listener, a lost connection would end the process. The queries in flight report the loss.
  client.on('error', () => {});
  try {
    await client.connect();
    const settings = [Object.keys(planSettings), Object.values(planSettings), Object.keys(RELIED_ON)];
    const describeServer = { ...arrayQuery(DESCRIBE_SERVER, settings), query_timeout: connectTimeoutMs };
    const { rows } = await client.query<Description>(describeServer);
    const [version, inRecovery, missing, encoding, commitLevel, reliedOn] = rows[0] as Description;
    refuseOldServer(version);
    refuseEncoding(encoding);
    refuseSettings({ ...JSON.parse(reliedOn), synchronous_commit: commitLevel });
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

export function refuseOldServer(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_VERSION) return;
  throw new StoreRefused(
    `it runs on PostgreSQL ${major}, and ${OLDEST_VERSION} or later is needed: upgrade the server. Nothing was changed.`,
  );
}

/** An encoding other than UTF8 cannot store all texts, or sorts them in another order than UTF8 does. */
function refuseEncoding(encoding: string): void {
  if (encoding === 'UTF8') return;
  throw new StoreRefused(
    `its encoding is ${encoding}, and UTF8 is needed: create another database with createdb --encoding=UTF8 --template=template0. Nothing was changed.`,
  );
}

/** The service gives each session these settings. If one is wrong, a pooler has dropped the settings. */
function refuseSettings(found: Readonly<Record<string, string>>): void {
  const wrong = wrongSettings(found);
  if (wrong.length === 0) return;
  const commands = wrong.map(([name, needed]) => `ALTER ROLE ... SET ${name} = '${needed}'`);
  throw new StoreRefused(
    `a pooler drops the settings of its sessions, and ${wrong.map(([name]) => `${name} is ${found[name]}`).join(', ')}. Set them for this user with ${commands.join('; ')}, and make the pooler reconnect, or connect without it. Nothing was changed.`,
  );
}

/** Takes the password from the address, PGPASSWORD or ~/.pgpass, as PostgreSQL's own programs do. */
function createClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  // pg 9 will no longer read ~/.pgpass, so a function reads it. pg's types do not allow a function here.
  const typed: { password?: unknown } = client;
  typed.password ??= () => passwordFromFile(client);
  return client;
}

const passwordFromFile = ({ host, port, database, user }: pg.Client) =>
  new Promise<string | undefined>((resolve) => pgpass({ host, port, database, user }, resolve));
