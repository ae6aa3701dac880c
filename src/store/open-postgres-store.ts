import type pg from 'pg';
import { StoreRefused } from '../../values/store-errors.ts';
import type { Migration, Unmigrated } from '../db/migrations.ts';
import { isCitus } from '../db/postgres/citus.ts';
import { type DatabaseFacts, readDatabaseFacts } from '../db/postgres/database-facts.ts';
import {
  arrayQuery,
  onPrimary,
  type PostgresAddress,
  parsePostgresUrl,
  type SessionLimits,
} from '../db/postgres/driver/index.ts';
import { migrate, unmigrated } from '../db/postgres/migrate.ts';
import {
  grantService,
  missingRightsToMigrate,
  refuseRoleThatCannotRecord,
} from '../db/postgres/role-rights.ts';
import { readShards, type ShardRow } from '../db/postgres/shards.ts';
import type { PostgresOptions } from '../db/postgres/store-connections.ts';
import { readTopology } from '../db/postgres/topology.ts';
import { type MarkRow, markOf, READ_MARK, refuseMarked } from '../operate/copy-mark.ts';
import { callsOnDb } from './calls-on-db.ts';
import { clusterStore } from './cluster-store.ts';
import { makeNodeStore } from './node-store.ts';
import type { Store } from './store.ts';

const LONG_WORK: SessionLimits = {
  statementTimeoutMs: 4 * 3_600_000,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 300_000,
  idleInTransactionTimeoutMs: 600_000,
};

export async function openPostgresStore(
  url: string,
  now: () => number,
  options: PostgresOptions,
  { mayMigrate }: { mayMigrate: boolean },
): Promise<{ store: Store; migrated: Migration[]; server: DatabaseFacts } | Unmigrated> {
  const address = parsePostgresUrl(url);
  const limits = { ...LONG_WORK, connectTimeoutMs: options.timeoutMs };
  return onPrimary(address, limits, async ({ client }) => {
    const needed = mayMigrate ? undefined : await unmigrated(client);
    if (needed !== undefined) return { ...needed, missingRights: await missingRightsToMigrate(client) };
    const migrated = mayMigrate ? await migrate(client, now()) : [];
    const server = await readDatabaseFacts(client, { ...options, address });
    return { store: await storeOn(client, address, now, options), migrated, server };
  });
}

async function storeOn(
  client: pg.Client,
  address: PostgresAddress,
  now: () => number,
  options: PostgresOptions,
): Promise<Store> {
  const [mark] = (await client.query<MarkRow>(arrayQuery(READ_MARK))).rows;
  if (options.isCopyTarget !== true) refuseMarked(mark && markOf(mark));
  if (options.records) await refuseRoleThatCannotRecord(client);
  const isSpread = await isCitus(client);
  if (options.replicaUrls !== undefined && options.replicaUrls.length > 0 && isSpread) {
    throw new StoreRefused(
      'it is distributed by Citus, and lists cannot be read from a single standby. Leave DATABASE_REPLICA_URLS out.',
    );
  }
  let reconnected = () => {};
  const onReconnected = (listener: () => void) => {
    reconnected = listener;
  };
  const topology = await readTopology(client);
  const serverOptions = { ...options, address, topology, now, onReconnected: () => reconnected() };
  if (isSpread) {
    const rows = async ({ text }: { text: string }) => (await client.query<ShardRow>(arrayQuery(text))).rows;
    return { ...clusterStore(serverOptions, await readShards(rows)), onReconnected };
  }
  const { calls, db, connections } = makeNodeStore(serverOptions);
  return {
    ...calls,
    ...callsOnDb(db, now),
    connectionUse: () => connections.use,
    onReconnected,
    close: () => connections.close(),
  };
}

export async function grantPostgresService(url: string, role: string): Promise<void> {
  await onPrimary(parsePostgresUrl(url), LONG_WORK, ({ client }) => grantService(client, role));
}
