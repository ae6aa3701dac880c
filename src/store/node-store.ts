import { sumOfUses } from '../db/connection-use.ts';
import { readDatabaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/db.ts';
import { type PostgresAddress, readStatement } from '../db/postgres/driver/index.ts';
import { postgresDb } from '../db/postgres/postgres-db.ts';
import { type PostgresOptions, StoreConnections } from '../db/postgres/store-connections.ts';
import type { Topology } from '../db/postgres/topology.ts';
import { commitStamper } from '../ledger/changes/change.ts';
import { changePages, changeReader } from '../ledger/changes/postgres/list-changes.ts';
import { numberedLister } from '../ledger/exports/postgres/exports.ts';
import { transactionLister } from '../ledger/list/postgres/list-transactions.ts';
import { transactionRecorder } from '../ledger/record/postgres/record-transactions.ts';
import { sealChanges } from '../ledger/seals/seal.ts';
import { totalsStore } from '../ledger/totals/postgres/totals.ts';
import { openImportConnection } from '../operate/import/postgres/import-connection.ts';
import { deliverableLister } from '../webhooks/postgres/list-deliverable.ts';
import type { OwnCalls, Store } from './store.ts';

export interface NodeStoreOptions extends PostgresOptions {
  address: PostgresAddress;
  topology: Topology;
  now: () => number;
}

export interface NodeStore {
  readonly calls: OwnCalls;
  readonly db: Db;
  readonly connections: StoreConnections;
}

export function makeNodeStore(options: NodeStoreOptions): NodeStore {
  const { address, topology, now } = options;
  const stampCommit = commitStamper(now, options.drawNonce);
  const notedStatuses = new Set<string>();
  const onReconnected = () => {
    // Statuses are stored again, because the database may have been restored to a state without them.
    notedStatuses.clear();
    options.onReconnected?.();
  };
  const connections = new StoreConnections(address, topology, { ...options, onReconnected });
  const { requests: primary, replicas, recordings, heldRecordings, background } = connections;
  const { rowWaitMs, heldTimeoutMs } = connections;
  const db = postgresDb(connections, topology);
  const listChanges = changePages(topology);
  const calls: OwnCalls = {
    ...transactionLister({ primary, replicas, topology }),
    ...transactionRecorder({
      connections: recordings,
      topology,
      headWaitMs: rowWaitMs,
      rowWaitMs,
      stampCommit,
      notedStatuses,
      held: { connections: heldRecordings, timeoutMs: heldTimeoutMs },
    }),
    ...changeReader({ primary, replicas, background, topology }),
    ...totalsStore({ primary, background, topology }),
    sealChanges: async (account, from, limit) =>
      sealChanges(account, from, await listChanges(background, { account, after: from.sequence, limit })),
    ...numberedLister({ background, topology }),
    ...deliverableLister(background, topology),
    ...pinger(primary),
    readClock: async () => ({ nowMs: await readDatabaseClock(db), isLeast: false }),
    openImport: () => openImportConnection(address, { topology, stampCommit }),
  };
  return { calls, db, connections };
}

const PING = readStatement('SELECT version::bigint FROM schema_migrations LIMIT 1', (row) => row.integer());

/** Requests to /readyz need no key. They share one query, so that they cannot fill the queue of queries. */
function pinger(connections: StoreConnections['requests']): Pick<OwnCalls, 'ping'> {
  let pinging: Promise<unknown> | undefined;
  return {
    ping: async () => {
      pinging ??= connections.lookUp(PING, []).finally(() => {
        pinging = undefined;
      });
      await pinging;
    },
  };
}

export function useOfStores(stores: readonly NodeStore[]): ReturnType<Store['connectionUse']> {
  const uses = stores.flatMap(({ connections }) => Object.entries(connections.use));
  const byPurpose = Map.groupBy(uses, ([purpose]) => purpose);
  return Object.fromEntries(
    byPurpose.entries().map(([purpose, ones]) => [purpose, sumOfUses(ones.map(([, use]) => use))]),
  );
}
