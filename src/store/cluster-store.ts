import { withinTime } from '../../values/time-limit.ts';
import type { Db } from '../db/db.ts';
import { accountNodes } from '../db/postgres/account-nodes.ts';
import { readShards, type Shard } from '../db/postgres/shards.ts';
import type { Step } from '../db/statement.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { RecordResult, TransactionRecorder } from '../ledger/record/record.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { callsOnDb } from './calls-on-db.ts';
import { makeNodeStore, type NodeStore, type NodeStoreOptions, useOfStores } from './node-store.ts';
import type { OwnCalls, Store } from './store.ts';

const LATE_AFTER_SHARE = 0.25;
/** Must be less than CALL_TIMEOUT_MS, after which deliveries give up the whole call. */
const LATE_AFTER_MS = 1000;

type Nodes = ReturnType<typeof accountNodes<NodeStore>>;

export function clusterStore(
  options: NodeStoreOptions,
  shards: readonly Shard[],
): Omit<Store, 'onReconnected'> {
  const coordinator = makeNodeStore(options);
  const nodes: Nodes = accountNodes({
    shared: coordinator,
    shards,
    make: () => makeNodeStore(options),
    readShards: () => readShards((read) => coordinator.connections.requests.lookUp(read, [])),
  });
  return {
    ...routedCalls(nodes),
    ...callsOnDb(clusterDb(nodes), options.now),
    record: (transactions, alone) => {
      const stores = byCalls(nodes, transactions, ({ account }) => account);
      const [only, other] = stores.keys();
      if (only !== undefined && other === undefined) return only.record(transactions, alone);
      return recordOnNodes(stores, transactions);
    },
    readHeads: (accounts) =>
      readHeadsOnNodes(
        byCalls(nodes, accounts, (account) => account),
        options.timeoutMs,
      ),
    nodeOf: (account) => nodes.nodeOf(account),
    nodes: () => nodes.nodes,
    connectionUse: () => useOfStores(nodes.all),
    close: async () => {
      await Promise.all(nodes.all.map(({ connections }) => connections.close()));
    },
  };
}

function clusterDb(nodes: Nodes): Db {
  const dbOf = ({ statement: { on }, values }: Pick<Step, 'statement' | 'values'>) =>
    (on === 'account' ? nodes.of(String(values['account'])) : nodes.shared).db;
  return {
    read: (statement, values, length) => dbOf({ statement, values }).read(statement, values, length),
    write: (turn, steps) => {
      const [first] = steps.filter(({ statement: { on } }) => on === 'account');
      return (first === undefined ? nodes.shared.db : dbOf(first)).write(turn, steps);
    },
  };
}

function routedCalls(nodes: Nodes): Omit<OwnCalls, 'record' | 'readHeads'> {
  const of = (account: string) => nodes.of(account).calls;
  const { openImport, ping, readClock } = nodes.shared.calls;
  return {
    listTransactions: (query, limit) => of(query.account).listTransactions(query, limit),
    listChanges: (query) => of(query.account).listChanges(query),
    findMissingChanges: (account, changes) => of(account).findMissingChanges(account, changes),
    readStoredTotals: (query) => of(query.account).readStoredTotals(query),
    sumListed: (query, after) => of(query.account).sumListed(query, after),
    sealChanges: (account, from, limit) => of(account).sealChanges(account, from, limit),
    listNumbered: (query, limit) => of(query.account).listNumbered(query, limit),
    listDeliverable: (part, node = '') => nodes.at(node).calls.listDeliverable(part, node),
    openImport,
    ping,
    readClock,
  };
}

const byCalls = <Item>(nodes: Nodes, items: readonly Item[], ownerOf: (item: Item) => string) =>
  Map.groupBy(items, (item) => nodes.of(ownerOf(item)).calls);

export async function recordOnNodes(
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

/** Leaves out the accounts of a store that fails or is late. Rejects if all stores fail. */
export async function readHeadsOnNodes(
  stores: ReadonlyMap<Pick<ChangeReader, 'readHeads'>, string[]>,
  timeoutMs: number,
): Promise<ReadonlyMap<string, number>> {
  const [only] = stores;
  if (only === undefined) return new Map();
  if (stores.size === 1) return only[0].readHeads(only[1]);
  const read = stores
    .entries()
    .map(([store, accounts]) =>
      withinTime(store.readHeads(accounts), Math.min(timeoutMs * LATE_AFTER_SHARE, LATE_AFTER_MS)),
    );
  const settled = await Promise.allSettled(read);
  const heads = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (heads.length === 0) throw (settled[0] as PromiseRejectedResult).reason;
  return new Map(heads.flatMap((head) => [...head]));
}
