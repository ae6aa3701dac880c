import type pg from 'pg';
import { type ReplicaChange, type Store, StoreRefused } from '../../core/store.ts';
import type { Migration, Unmigrated } from '../migrations.ts';
import { apiKeyStore } from './api-keys.ts';
import {
  Connections,
  connectToPrimary,
  explainFailure,
  LIST_SETTINGS,
  maskPostgresUrl,
  type PostgresAddress,
  parsePostgresUrl,
  RECORDING_SETTINGS,
  Replicas,
  type SessionLimits,
  SlowLane,
  statement,
} from './driver/index.ts';
import { openImportConnection } from './import-connection.ts';
import { transactionLister } from './list-transactions.ts';
import { grantService, isCitus, migrate, unmigrated } from './migrate.ts';
import { transactionRecorder } from './record-transactions.ts';
import { transactionRetriever } from './retrieve-transaction.ts';
import { missingRightsToMigrate, refuseRoleThatMayNotRecord } from './rights.ts';
import { hasRowLevelSecurity } from './row-level-security.ts';

export interface PostgresOptions {
  /** How long one question may take. */
  timeoutMs: number;
  connections: number;
  /** Standbys that lists may be read from. */
  replicaUrls?: readonly string[];
  maxReplicaLagMs?: number;
  /** Called when lists begin to be read from a replica, and when they no longer are. */
  onReplicaChange?: (change: ReplicaChange) => void;
  /** Whether transactions are to be recorded: a role that may not is refused. */
  records?: boolean;
}

export const DEFAULT_MAX_REPLICA_LAG_MS = 2000;

/** Of work that no request waits for. */
const LONG_WORK: SessionLimits = {
  statementTimeoutMs: 4 * 3_600_000,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 300_000,
  idleInTransactionTimeoutMs: 600_000,
};

/**
 * Opens the store on a database, and tells which migrations that took.
 *
 * Throws: StoreRefused where the database can't be used, before anything is changed.
 */
export async function openPostgresStore(
  url: string,
  now: () => number,
  options: PostgresOptions,
): Promise<{ store: Store; migrated: Migration[] }> {
  const address = parsePostgresUrl(url);
  return withClient(address, options.timeoutMs, async (client) => {
    const migrated = await migrate(client, now());
    return { store: await migratedStore(client, address, now, options), migrated };
  });
}

/**
 * Opens the store on a database whose schema is up to date. Changes nothing.
 *
 * Throws: StoreRefused where the database can't be used.
 */
export async function openPostgresStoreWithoutMigrating(
  url: string,
  now: () => number,
  options: PostgresOptions,
): Promise<{ store: Store } | Unmigrated> {
  const address = parsePostgresUrl(url);
  return withClient(address, options.timeoutMs, async (client) => {
    const found = await unmigrated(client);
    if (found !== undefined) return { ...found, missingRights: await missingRightsToMigrate(client) };
    return { store: await migratedStore(client, address, now, options) };
  });
}

async function migratedStore(
  client: pg.Client,
  address: PostgresAddress,
  now: () => number,
  options: PostgresOptions,
): Promise<Store> {
  if (options.records) await refuseRoleThatMayNotRecord(client);
  if (options.replicaUrls !== undefined && options.replicaUrls.length > 0 && (await isCitus(client))) {
    throw new StoreRefused(
      "it is spread by Citus, whose standbys can't be read from one by one. Leave DATABASE_REPLICA_URLS out.",
    );
  }
  return postgresStore(address, await hasRowLevelSecurity(client), now, options);
}

/** Gives a role the rights to serve, and no more. */
export async function grantPostgresService(url: string, role: string): Promise<void> {
  await withClient(parsePostgresUrl(url), LONG_WORK.connectTimeoutMs, (client) => grantService(client, role));
}

async function withClient<Answer>(
  address: PostgresAddress,
  connectTimeoutMs: number,
  work: (client: pg.Client) => Promise<Answer>,
): Promise<Answer> {
  try {
    const { client } = await connectToPrimary(address, { ...LONG_WORK, connectTimeoutMs });
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    throw new StoreRefused(explainFailure(error), { cause: error });
  }
}

const PING = statement('SELECT 1 FROM schema_migrations LIMIT 1');
const KEEP_SECRET = statement(
  'INSERT INTO cursor_secret (only_row, secret, created_at_ms) VALUES (1, $1, $2) ON CONFLICT DO NOTHING',
);
const READ_SECRET = statement('SELECT secret FROM cursor_secret');

/** The server gives a slow statement up a little before we give up the connection that it runs on. */
const limitsFor = (timeoutMs: number): SessionLimits => ({
  statementTimeoutMs: Math.ceil(timeoutMs * 0.9),
  connectTimeoutMs: timeoutMs,
  lockTimeoutMs: Math.ceil(timeoutMs * 0.9),
  idleInTransactionTimeoutMs: timeoutMs,
});

/** How long a statement may take of a connection that others share: far longer than a list takes. */
const sharedStatementMs = (timeoutMs: number) => Math.ceil(Math.min(250, timeoutMs / 8));

/** How long a recording may keep a connection on Citus, where a turn can't be ended sooner: two rows leave turns to others. */
const turnOnCitusMs = (timeoutMs: number) => Math.ceil(timeoutMs / 4);

/** How long a group of recordings may wait for a row: far longer than a commit takes. */
const rowWaitMs = (timeoutMs: number) => Math.ceil(Math.min(50, timeoutMs / 8));

/** The store on a database whose schema is up to date. */
function postgresStore(
  address: PostgresAddress,
  rowLevelSecurity: boolean,
  now: () => number,
  {
    timeoutMs,
    connections: size,
    replicaUrls = [],
    maxReplicaLagMs = DEFAULT_MAX_REPLICA_LAG_MS,
    onReplicaChange = () => {},
  }: PostgresOptions,
): Store {
  const connectTo = (to: PostgresAddress, limits: SessionLimits, planSettings = LIST_SETTINGS) => ({
    connect: () => connectToPrimary(to, { ...limits, pipeline: true, planSettings }),
  });
  const connectionsTo = (to: PostgresAddress, queryTimeoutMs: number) => {
    const quickMs = sharedStatementMs(queryTimeoutMs);
    const limits = limitsFor(queryTimeoutMs);
    return new Connections({
      size,
      timeoutMs: queryTimeoutMs,
      slowLane: new SlowLane({ quickMs, ...connectTo(to, limits) }),
      ...connectTo(to, { ...limits, statementTimeoutMs: quickMs }),
    });
  };
  const connections = connectionsTo(address, timeoutMs);
  const replicas =
    replicaUrls.length === 0
      ? null
      : new Replicas({
          primary: connections,
          // A replica that hangs leaves time to ask the primary.
          replicas: replicaUrls.map((url) => ({
            name: maskPostgresUrl(url),
            connections: connectionsTo(parsePostgresUrl(url), timeoutMs / 2),
          })),
          maxLagMs: maxReplicaLagMs,
          monotonicMs: () => performance.now(),
          onChange: onReplicaChange,
        });
  const limits = limitsFor(timeoutMs);
  const connectToRecord = (onCitusMs: number) =>
    connectTo(
      address,
      { ...limits, ...(!rowLevelSecurity && { statementTimeoutMs: onCitusMs }) },
      RECORDING_SETTINGS,
    );
  // Of their own: a list must not wait behind a commit.
  const recording = new Connections({ size, timeoutMs, ...connectToRecord(sharedStatementMs(timeoutMs)) });
  const waitMs = rowWaitMs(timeoutMs);
  const held = new SlowLane({ quickMs: waitMs, ...connectToRecord(turnOnCitusMs(timeoutMs)) });
  const listTransactions = transactionLister({ primary: connections, replicas, rowLevelSecurity });

  return {
    ...apiKeyStore(connections),
    ...transactionRetriever(connections, rowLevelSecurity),
    ...transactionRecorder({
      connections: recording,
      rowLevelSecurity,
      waitMs,
      held: { lane: held, timeoutMs: limits.lockTimeoutMs },
    }),
    listTransactions,
    openImport: () => openImportConnection(address, rowLevelSecurity),
    storeCursorSecret: async (proposed) => {
      const read = async () => (await connections.query<[string]>(READ_SECRET, []))[0]?.[0];
      const kept = await read();
      if (kept !== undefined) return kept;
      await connections.query(KEEP_SECRET, [proposed, now()]);
      return (await read()) as string;
    },
    ping: async () => {
      await connections.query(PING, []);
    },
    connectionUse: () => ({
      requests: connections.use,
      'slow-requests': connections.slowUse,
      recordings: recording.use,
      'held-recordings': held.use,
      ...(replicas !== null && { replicas: replicas.use, 'slow-replicas': replicas.slowUse }),
    }),
    close: async () => {
      await replicas?.close();
      await Promise.all([recording.close(), held.close(), connections.close()]);
    },
  };
}
