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
export function accountNodes<Node>({ shared, shards, make, readShards }: AccountNodesOptions<Node>) {
  const stores = new Map<string, Node>();
  let known = ifSpread(shards);
  let readAtMs = performance.now();
  const use = (read: readonly Shard[]) => {
    known = ifSpread(read);
  };
  const knownShards = () => {
    if (performance.now() - readAtMs > REFRESH_MS) {
      readAtMs = performance.now();
      readShards().then(use, () => {});
    }
    return known;
  };
  const nodeOf = (account: string): string => {
    const spread = knownShards();
    return spread === null ? '' : workerOf(spread, account);
  };
  const at = (node: string): Node => {
    if (node === '') return shared;
    const store = stores.get(node) ?? make();
    stores.set(node, store);
    return store;
  };
  return {
    shared,
    nodeOf,
    at,
    of: (account: string): Node => at(nodeOf(account)),
    get nodes(): string[] {
      return [...new Set(knownShards()?.map(({ worker }) => worker) ?? [''])];
    },
    get all(): Node[] {
      return [shared, ...stores.values()];
    },
  };
}

const ifSpread = (shards: readonly Shard[]) =>
  new Set(shards.map(({ worker }) => worker)).size > 1 ? shards : null;
