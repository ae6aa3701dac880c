import { type Shard, workerOf } from './shards.ts';

/** How old the known shards can be when an account is looked up. Older ones are read again. */
const REFRESH_MS = 10_000;

interface AccountNodesOptions<Node> {
  /** Serves calls that do not belong to a single account. If one node has all accounts, serves those too. */
  shared: Node;
  shards: readonly Shard[];
  make(): Node;
  readShards(): Promise<readonly Shard[]>;
}

/**
 * The nodes that have the accounts of a cluster. Each worker has one store with its own connections, so a
 * worker that does not respond delays only its own accounts.
 *
 * The choice of the worker affects only the speed, because the coordinator finds the shard of each statement.
 * After a shard has moved, the old worker is chosen for some seconds.
 */
export class AccountNodes<Node> {
  readonly #options: AccountNodesOptions<Node>;
  readonly #stores = new Map<string, Node>();
  /** Null if one node has all shards. */
  #shards: readonly Shard[] | null;
  #readAtMs = performance.now();

  constructor(options: AccountNodesOptions<Node>) {
    this.#options = options;
    this.#shards = ifSpread(options.shards);
  }

  /** The node that has an account. An empty text names the only node. */
  nodeOf(account: string): string {
    const shards = this.#knownShards();
    return shards === null ? '' : workerOf(shards, account);
  }

  /** The names of all nodes. An empty text names the only node. */
  get nodes(): string[] {
    return [...new Set(this.#knownShards()?.map(({ worker }) => worker) ?? [''])];
  }

  of(account: string): Node {
    return this.at(this.nodeOf(account));
  }

  at(node: string): Node {
    if (node === '') return this.#options.shared;
    let store = this.#stores.get(node);
    if (store === undefined) {
      store = this.#options.make();
      this.#stores.set(node, store);
    }
    return store;
  }

  get shared(): Node {
    return this.#options.shared;
  }

  get all(): Node[] {
    return [this.#options.shared, ...this.#stores.values()];
  }

  /** The shards that are known. If these are old, starts a read for later calls. */
  #knownShards(): readonly Shard[] | null {
    if (performance.now() - this.#readAtMs > REFRESH_MS) {
      this.#readAtMs = performance.now();
      const use = (shards: readonly Shard[]) => {
        this.#shards = ifSpread(shards);
      };
      // If the shards can't be read, the earlier ones stay in use.
      this.#options.readShards().then(use, () => {});
    }
    return this.#shards;
  }
}

/** The shards, or null if one node has all of them. */
const ifSpread = (shards: readonly Shard[]) =>
  new Set(shards.map(({ worker }) => worker)).size > 1 ? shards : null;
