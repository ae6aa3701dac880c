import { type Shard, workerOf } from '../db/postgres/shards.ts';
import type { ChangeReader } from '../ledger/changes/change.ts';
import type { RecordResult, TransactionRecorder } from '../ledger/record/transaction-recorder.ts';
import type { AccountTransaction } from '../ledger/transaction.ts';
import { withinTime } from '../values/time-limit.ts';

/** How old the known shards are at most when an account is looked up. */
const REFRESH_MS = 10_000;
/** The share of the time limit that a worker has for the heads of its accounts, which are read again and again. */
const HEADS_SHARE = 0.25;
/** Less than deliveries wait for all heads, however long the time limit is. */
const MAX_HEADS_MS = 1000;

export interface AccountStoresOptions<OfAccounts> {
  /** Serves all accounts if the database is on one server. */
  shared: OfAccounts;
  /** Null if the database is on a single server. */
  shards: readonly Shard[] | null;
  make(): OfAccounts;
  readShards(): Promise<readonly Shard[]>;
}

/**
 * What serves accounts: on a cluster, one store for each worker, with connections of its own. A worker that does not respond
 * then holds back its own accounts alone.
 *
 * Which worker has an account is a matter of speed, not of results: the coordinator finds the shard of each statement. A shard
 * that was moved is known here some seconds later.
 */
export class AccountStores<OfAccounts> {
  readonly #options: AccountStoresOptions<OfAccounts>;
  readonly #stores = new Map<string, OfAccounts>();
  #shards: readonly Shard[] | null;
  #isSpread: boolean;
  #readAtMs = performance.now();

  constructor(options: AccountStoresOptions<OfAccounts>) {
    this.#options = options;
    this.#shards = options.shards;
    this.#isSpread = isSpread(options.shards ?? []);
  }

  /** The server that has an account; an empty text for the only one. */
  serverOf(account: string): string {
    const shards = this.#spreadShards();
    return shards === null ? '' : workerOf(shards, account);
  }

  /** Names all servers; one empty text for the only one. */
  get servers(): string[] {
    return [...new Set(this.#spreadShards()?.map(({ worker }) => worker) ?? [''])];
  }

  of(account: string): OfAccounts {
    return this.at(this.serverOf(account));
  }

  /** The store of a server. */
  at(server: string): OfAccounts {
    if (server === '') return this.#options.shared;
    let store = this.#stores.get(server);
    if (store === undefined) {
      store = this.#options.make();
      this.#stores.set(server, store);
    }
    return store;
  }

  /** Items by the store that serves their accounts. */
  group<Item>(items: readonly Item[], accountOf: (item: Item) => string): Map<OfAccounts, Item[]> {
    return Map.groupBy(items, (item) => this.of(accountOf(item)));
  }

  get all(): OfAccounts[] {
    return [this.#options.shared, ...this.#stores.values()];
  }

  /** The shards, if more than one server has some. */
  #spreadShards(): readonly Shard[] | null {
    if (this.#shards !== null && performance.now() - this.#readAtMs > REFRESH_MS) this.#refresh();
    return this.#isSpread ? this.#shards : null;
  }

  #refresh(): void {
    this.#readAtMs = performance.now();
    const use = (shards: readonly Shard[]) => {
      this.#shards = shards;
      this.#isSpread = isSpread(shards);
    };
    // If they can't be read, those from before are used.
    this.#options.readShards().then(use, () => {});
  }
}

const isSpread = (shards: readonly Shard[]) => new Set(shards.map(({ worker }) => worker)).size > 1;

/** Records transactions with the store of each. A store that fails, fails its own transactions alone. */
export async function recordOnWorkers(
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
export async function readHeadsOnWorkers(
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
