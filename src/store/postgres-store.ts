import type { Shard } from '../db/postgres/shards.ts';
import { clusterStore } from './cluster-store.ts';
import { makeServerStore, type ServerStoreOptions } from './server-store.ts';
import type { Store } from './store.ts';

interface PostgresStoreOptions extends ServerStoreOptions {
  /** Where the accounts of a cluster are; null on a single server. */
  shards: readonly Shard[] | null;
}

/** The store on a database whose schema is up to date. */
export function postgresStore({ shards, ...options }: PostgresStoreOptions): Store {
  if (shards !== null) return clusterStore(options, shards);
  const { calls, connections } = makeServerStore(options);
  return { ...calls, connectionUse: () => connections.use, close: () => connections.close() };
}
