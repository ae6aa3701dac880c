import { type Shard, workerOf } from './shards.ts';

const REFRESH_MS = 10_000;

interface AccountNodesOptions<Node> {
  /** Serves calls that do not belong to a single account, and all calls if one node has all accounts. */
  shared: Node;
  shards: readonly Shard[];
  make(): Node;
  readShards(): Promise<readonly Shard[]>;
}

/**
 * On Citus, each worker stores some of the accounts. For each worker, one `Node` has its own connections to
 * the coordinator. So a worker that does not respond delays only its own accounts.
 */
export class AccountNodes<Node> {
  readonly #options: AccountNodesOptions<Node>;
  readonly #stores = new Map<string, Node>();
  #shards: readonly Shard[] | null;
  #readAtMs = performance.now();

  constructor(options: AccountNodesOptions<Node>) {
    this.#options = options;
    this.#shards = ifSpread(options.shards);
  }

  nodeOf(account: string): string {
    const shards = this.#knownShards();
    return shards === null ? '' : workerOf(shards, account);
  }

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

  #knownShards(): readonly Shard[] | null {
    if (performance.now() - this.#readAtMs > REFRESH_MS) {
      this.#readAtMs = performance.now();
      const use = (shards: readonly Shard[]) => {
        this.#shards = ifSpread(shards);
      };
      this.#options.readShards().then(use, () => {});
    }
    return this.#shards;
  }
}

const ifSpread = (shards: readonly Shard[]) =>
  new Set(shards.map(({ worker }) => worker)).size > 1 ? shards : null;
