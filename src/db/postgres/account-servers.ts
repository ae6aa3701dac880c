import { type Shard, workerOf } from './shards.ts';

/** How old the known shards are at most when an account is looked up. */
const REFRESH_MS = 10_000;

interface AccountServersOptions<Server> {
  /** Serves what is not a matter of one account, and all accounts if one server has them. */
  shared: Server;
  shards: readonly Shard[];
  make(): Server;
  readShards(): Promise<readonly Shard[]>;
}

/**
 * The servers of the accounts of a cluster: one store for each worker, with connections of its own. A worker
 * that does not respond then holds back its own accounts alone.
 *
 * Which worker has an account is a matter of speed, not of results: the coordinator finds the shard of each
 * statement. A shard that was moved is known here some seconds later.
 */
export class AccountServers<Server> {
  readonly #options: AccountServersOptions<Server>;
  readonly #stores = new Map<string, Server>();
  #shards: readonly Shard[];
  #isSpread: boolean;
  #readAtMs = performance.now();

  constructor(options: AccountServersOptions<Server>) {
    this.#options = options;
    this.#shards = options.shards;
    this.#isSpread = isSpread(options.shards);
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

  of(account: string): Server {
    return this.at(this.serverOf(account));
  }

  /** The store of a server. */
  at(server: string): Server {
    if (server === '') return this.#options.shared;
    let store = this.#stores.get(server);
    if (store === undefined) {
      store = this.#options.make();
      this.#stores.set(server, store);
    }
    return store;
  }

  get shared(): Server {
    return this.#options.shared;
  }

  get all(): Server[] {
    return [this.#options.shared, ...this.#stores.values()];
  }

  /** The shards, if more than one server has some. */
  #spreadShards(): readonly Shard[] | null {
    if (performance.now() - this.#readAtMs > REFRESH_MS) this.#refresh();
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
