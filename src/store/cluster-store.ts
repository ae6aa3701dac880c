import { withinTime } from '../../values/time-limit.ts';
import { AccountServers } from '../db/postgres/account-servers.ts';
import { clusterDb } from '../db/postgres/cluster-db.ts';
import { readShards, type Shard } from '../db/postgres/shards.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { RecordResult, TransactionRecorder } from '../ledger/record/record.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { callsOnDb } from './calls-on-db.ts';
import { makeServerStore, type ServerStore, type ServerStoreOptions, useOfStores } from './server-store.ts';
import type { OwnCalls, Store } from './store.ts';

/** The share of the time limit that a worker has for its accounts' heads, which are read again and again. */
const HEADS_SHARE = 0.25;
/** Less than deliveries wait for all heads, however long the time limit is. */
const MAX_HEADS_MS = 1000;

type Servers = AccountServers<ServerStore>;

/** The store on a cluster: each call goes to the store of the server that has its account. */
export function clusterStore(
  options: ServerStoreOptions,
  shards: readonly Shard[],
): Omit<Store, 'onReconnected'> {
  const coordinator = makeServerStore(options);
  const servers: Servers = new AccountServers({
    shared: coordinator,
    shards,
    make: () => makeServerStore(options),
    readShards: () => readShards((read) => coordinator.connections.requests.query(read, [])),
  });
  return {
    ...routedCalls(servers),
    ...callsOnDb(clusterDb(servers), options.now),
    record: (transactions, alone) => {
      const stores = byCalls(servers, transactions, ({ account }) => account);
      const [only, other] = stores.keys();
      if (only !== undefined && other === undefined) return only.record(transactions, alone);
      return recordOnServers(stores, transactions);
    },
    readHeads: (accounts) =>
      readHeadsOnServers(
        byCalls(servers, accounts, (account) => account),
        options.timeoutMs,
      ),
    serverOf: (account) => servers.serverOf(account),
    servers: () => servers.servers,
    connectionUse: () => useOfStores(servers.all),
    close: async () => {
      await Promise.all(servers.all.map(({ connections }) => connections.close()));
    },
  };
}

/** The calls that one server answers: that of the account, a named one, or the coordinator. */
function routedCalls(servers: Servers): Omit<OwnCalls, 'record' | 'readHeads'> {
  const of = (account: string) => servers.of(account).calls;
  const { openImport, ping, readClock } = servers.shared.calls;
  return {
    listTransactions: (query, limit) => of(query.account).listTransactions(query, limit),
    listChanges: (query) => of(query.account).listChanges(query),
    listTransactionChanges: (account, reference) => of(account).listTransactionChanges(account, reference),
    findMissingChanges: (account, changes) => of(account).findMissingChanges(account, changes),
    readNonce: (account, sequence) => of(account).readNonce(account, sequence),
    readStoredTotals: (query) => of(query.account).readStoredTotals(query),
    sumListed: (query, after) => of(query.account).sumListed(query, after),
    sealChanges: (account, from, limit) => of(account).sealChanges(account, from, limit),
    listNumbered: (query, limit) => of(query.account).listNumbered(query, limit),
    removeExpiredExports: (expiredMs, server = '') =>
      servers.at(server).calls.removeExpiredExports(expiredMs, server),
    listDeliverable: (part, server = '') => servers.at(server).calls.listDeliverable(part, server),
    openImport,
    ping,
    readClock,
  };
}

/** Items by the calls of the store that serves their accounts. */
const byCalls = <Item>(servers: Servers, items: readonly Item[], ownerOf: (item: Item) => string) =>
  Map.groupBy(items, (item) => servers.of(ownerOf(item)).calls);

/** Records transactions with the store of each. A store that fails, fails its own transactions alone. */
export async function recordOnServers(
  stores: ReadonlyMap<TransactionRecorder, AccountTransaction[]>,
  transactions: readonly AccountTransaction[],
): Promise<RecordResult[]> {
  const results = new Map<AccountTransaction, RecordResult>();
  const record = async (store: TransactionRecorder, own: AccountTransaction[]) => {
    const outcomes = await store
      .record(own)
      .catch((error) => own.map((): RecordResult => ({ outcome: 'failed', error })));
    for (const [index, transaction] of own.entries())
      results.set(transaction, outcomes[index] as RecordResult);
  };
  await Promise.all(stores.entries().map(([store, own]) => record(store, own)));
  return transactions.map((transaction) => results.get(transaction) as RecordResult);
}

/**
 * Reads the heads of the accounts of each store. Those of a store that fails, or is late, are missing, unless
 * all stores fail.
 */
export async function readHeadsOnServers(
  stores: ReadonlyMap<Pick<ChangeReader, 'readHeads'>, string[]>,
  timeoutMs: number,
): Promise<ReadonlyMap<string, number>> {
  const [only] = stores;
  if (only === undefined) return new Map();
  if (stores.size === 1) return only[0].readHeads(only[1]);
  const read = stores
    .entries()
    .map(([store, accounts]) =>
      withinTime(store.readHeads(accounts), Math.min(timeoutMs * HEADS_SHARE, MAX_HEADS_MS)),
    );
  const settled = await Promise.allSettled(read);
  const heads = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (heads.length === 0) throw (settled[0] as PromiseRejectedResult).reason;
  return new Map(heads.flatMap((head) => [...head]));
}
