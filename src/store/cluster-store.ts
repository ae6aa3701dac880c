import { AccountServers } from '../db/postgres/account-servers.ts';
import { readShards, type Shard } from '../db/postgres/shards.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { RecordResult, TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { withinTime } from '../values/time-limit.ts';
import { makeServerStore, type ServerStore, type ServerStoreOptions, useOfStores } from './server-store.ts';
import type { Store, StoreCalls } from './store.ts';

/** The share of the time limit that a worker has for the heads of its accounts, which are read again and again. */
const HEADS_SHARE = 0.25;
/** Less than deliveries wait for all heads, however long the time limit is. */
const MAX_HEADS_MS = 1000;

type Servers = AccountServers<ServerStore>;

/** Calls for accounts of several servers are divided among these. */
type Divided = 'recordTransactions' | 'readHeads';

/** The one server that answers a call with these values. */
type Routes = {
  readonly [Name in Exclude<keyof StoreCalls, Divided>]: (
    servers: Servers,
    ...values: Parameters<StoreCalls[Name]>
  ) => ServerStore;
};

const byAccount = (servers: Servers, account: string) => servers.of(account);
const byAccountOf = (servers: Servers, { account }: { account: string }) => servers.of(account);
const byServer = (servers: Servers, _value: unknown, server = '') => servers.at(server);
/** The coordinator. It has the keys, and reads what all servers have. */
const shared = ({ shared: coordinator }: Servers) => coordinator;

/** How each call finds its server. */
const ROUTES: Routes = {
  listTransactions: byAccountOf,
  retrieveTransaction: byAccount,
  listRelated: byAccount,
  searchTransactions: byAccountOf,
  recordHeld: byAccountOf,
  recordOnce: byAccountOf,
  removeDetails: byAccount,
  listRecordedStatuses: shared,
  listChanges: byAccountOf,
  listTransactionChanges: byAccount,
  findMissingChanges: byAccount,
  listMovedAccounts: shared,
  watchAccounts: shared,
  readArchive: byAccount,
  readStoredTotals: byAccountOf,
  readNonce: byAccount,
  listUnsealed: shared,
  readSeal: byAccount,
  sealChanges: byAccount,
  storeSeals: byAccount,
  listNumbered: byAccountOf,
  sumListed: byAccountOf,
  createExport: byAccountOf,
  removeExpiredExports: byServer,
  findExport: byAccount,
  replaceExport: byAccountOf,
  createWebhook: byAccountOf,
  listWebhooks: byAccount,
  findWebhook: byAccount,
  readWebhookRules: shared,
  replaceWebhook: byAccountOf,
  deleteWebhook: byAccount,
  listWebhookFailures: byAccount,
  retryWebhookFailure: byAccount,
  leaseWebhooks: shared,
  listDeliverable: byServer,
  storeProgress: byAccount,
  disableWebhook: byAccount,
  createApiKey: shared,
  findApiKey: shared,
  retrieveApiKey: shared,
  listApiKeys: shared,
  revokeApiKey: shared,
  rollApiKey: shared,
  openSession: shared,
  listSessions: shared,
  endSessions: shared,
  removeExpiredSessions: shared,
  listKeyEnds: shared,
  touchApiKeys: shared,
  listAudit: shared,
  listAccounts: shared,
  openImport: shared,
  storeCursorSecret: shared,
  ping: shared,
  readClock: shared,
  noteInstance: shared,
  removeInstance: shared,
  listInstances: shared,
};

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
    recordTransactions: (transactions) => {
      const stores = byCalls(servers, transactions, ({ account }) => account);
      const [only, other] = stores.keys();
      if (only !== undefined && other === undefined) return only.recordTransactions(transactions);
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

function routedCalls(servers: Servers): Omit<StoreCalls, Divided> {
  type Call = (...values: unknown[]) => unknown;
  const routed = Object.entries(ROUTES).map(([name, route]) => {
    const call: Call = (...values) => {
      const { calls } = (route as (...values: unknown[]) => ServerStore)(servers, ...values);
      return (calls[name as keyof StoreCalls] as Call)(...values);
    };
    return [name, call];
  });
  return Object.fromEntries(routed);
}

/** Items by the calls of the store that serves their accounts. */
const byCalls = <Item>(servers: Servers, items: readonly Item[], accountOf: (item: Item) => string) =>
  Map.groupBy(items, (item) => servers.of(accountOf(item)).calls);

/** Records transactions with the store of each. A store that fails, fails its own transactions alone. */
export async function recordOnServers(
  stores: ReadonlyMap<Pick<TransactionRecorder, 'recordTransactions'>, AccountTransaction[]>,
  transactions: readonly AccountTransaction[],
): Promise<RecordResult[]> {
  const results = new Map<AccountTransaction, RecordResult>();
  const record = async (
    store: Pick<TransactionRecorder, 'recordTransactions'>,
    own: AccountTransaction[],
  ) => {
    const outcomes = await store
      .recordTransactions(own)
      .catch((error) => own.map((): RecordResult => ({ outcome: 'failed', error })));
    for (const [index, transaction] of own.entries())
      results.set(transaction, outcomes[index] as RecordResult);
  };
  await Promise.all(stores.entries().map(([store, own]) => record(store, own)));
  return transactions.map((transaction) => results.get(transaction) as RecordResult);
}

/** Reads the heads of the accounts of each store. Those of a store that fails, or is late, are missing, unless all stores fail. */
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
  const heads = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (heads.length === 0) throw (settled[0] as PromiseRejectedResult).reason;
  return new Map(heads.flatMap((one) => [...one]));
}
