import { withinTime } from '../../../values/time-limit.ts';
import type { DeliverableEndpoint, DeliverableQuery, EndpointName } from '../webhook.ts';
import { ATTEMPT_TIMEOUT_MS } from './attempts.ts';
import type { DeliveryDependencies, DeliveryStatus } from './delivery-dependencies.ts';
import { isPaused } from './delivery-state.ts';
import { CALL_TIMEOUT_MS, EndpointDelivery } from './endpoint-delivery.ts';
import { isAtHead, waitsForReceiver } from './next-step.ts';
import type { DeliverableRead } from './unread-endpoints.ts';

interface Refreshed {
  endpoints: readonly DeliverableEndpoint[];
  last: EndpointName | null;
}

export class DeliveryEndpoints {
  readonly #dependencies: DeliveryDependencies;
  readonly #byAccount = new Map<string, readonly EndpointDelivery[]>();
  readonly #all = new Set<EndpointDelivery>();
  /** Deliveries whose endpoints are not in the pages that were read so far. */
  #unseen = new Set<EndpointDelivery>();
  /** Keyed by endpoint id. Positions replaced during the running refresh, which may still read them. */
  readonly #storedBefore = new Map<string, number>();
  /** Keyed by endpoint id. A new delivery to an endpoint begins only after the old delivery has ended. */
  readonly #ending = new Map<string, Promise<void>>();
  #refreshes = 0;

  constructor(dependencies: DeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  find({ account, id }: EndpointName): EndpointDelivery | undefined {
    return this.of(account).find(({ endpoint }) => endpoint.id === id);
  }

  get status(): Omit<DeliveryStatus, 'inFlight' | 'hasOtherRules'> {
    const status = {
      endpoints: this.#all.size,
      paused: 0,
      failures: 0,
      lagChanges: 0,
      lagMs: 0,
      pausedChanges: 0,
    };
    const { now, monotonicMs } = this.#dependencies;
    for (const { state } of this.#all) {
      if (isPaused(state)) status.paused++;
      status.failures += state.failures.size;
      const lagChanges = Math.max(0, state.headSequence - state.acknowledged);
      if (waitsForReceiver(state, monotonicMs())) {
        status.pausedChanges += lagChanges;
        continue;
      }
      status.lagChanges += lagChanges;
      for (const change of [state.waiting[0], ...[...state.attempts.values()].map((work) => work.change)])
        if (change) status.lagMs = Math.max(status.lagMs, now() - change.recordedAtMs);
    }
    return status;
  }

  of(account: string): readonly EndpointDelivery[] {
    return this.#byAccount.get(account) ?? [];
  }

  /** Leaves out accounts whose deliveries all have unread changes: reading changes also returns the head. */
  accountsToPoll(): string[] {
    const isPolled = ({ state }: EndpointDelivery) => isAtHead(state) || isPaused(state);
    return [...this.#byAccount]
      .filter(([, deliveries]) => deliveries.some(isPolled))
      .map(([account]) => account);
  }

  /** Returns undefined if the read must be repeated. Throws: StoreUnavailable. */
  async refresh(
    query: DeliverableRead,
    watch: (endpoints: readonly DeliverableEndpoint[]) => Promise<void>,
  ): Promise<Refreshed | undefined> {
    const refresh = ++this.#refreshes;
    this.#storedBefore.clear();
    if ('after' in query && query.after === null) this.#unseen = new Set(this.#all);
    const { endpoints, isRead, last } = await readFromEachNode(this.#dependencies, query);
    await watch(endpoints);
    if (refresh !== this.#refreshes) return undefined;
    const absent =
      'after' in query ? this.#unseen : new Set(query.accounts.flatMap((account) => this.of(account)));
    for (const delivery of absent) if (!isRead(delivery.endpoint.account)) absent.delete(delivery);
    for (const endpoint of endpoints) {
      const before = this.find(endpoint);
      if (before !== undefined) absent.delete(before);
      this.#take(endpoint, query.reloadsFailures);
    }
    if (last === null) for (const delivery of absent) this.#end(delivery, ATTEMPT_TIMEOUT_MS);
    return { endpoints, last };
  }

  noteStored({ id }: EndpointName, before: number): void {
    if (!this.#storedBefore.has(id)) this.#storedBefore.set(id, before);
  }

  async endAll(graceMs: number): Promise<void> {
    this.#refreshes++;
    for (const delivery of this.#all) this.#end(delivery, graceMs);
    await Promise.all(this.#ending.values());
  }

  #take(endpoint: DeliverableEndpoint, isReload: boolean): void {
    const { id, account } = endpoint;
    const delivery = this.find(endpoint);
    // The endpoint is read again after its earlier delivery has ended.
    if (this.#ending.has(id)) return;
    if (delivery === undefined) {
      const begun = new EndpointDelivery(endpoint, this.#dependencies);
      // `concat` saves memory, because V8 reserves room for sixteen more elements in a spread array.
      this.#byAccount.set(account, this.of(account).concat(begun));
      this.#all.add(begun);
      begun.continue();
      return;
    }
    const { version, createdAtMs } = delivery.endpoint;
    const { phase, stored } = delivery.state;
    const storedBefore = this.#storedBefore.get(id) ?? stored.acknowledged;
    const isMovedBack = endpoint.acknowledgedSequence < storedBefore;
    // A deleted endpoint can be created again with the same id, but at another time.
    const isAnother = endpoint.createdAtMs !== createdAtMs;
    if (phase === 'over' || endpoint.replayVersion > version || isMovedBack || isAnother) {
      if (isMovedBack && !isAnother && endpoint.replayVersion <= version)
        this.#dependencies.hooks.onMovedBack(endpoint, {
          from: storedBefore,
          to: endpoint.acknowledgedSequence,
        });
      delivery.restart();
      this.#end(delivery, 0);
    } else delivery.apply('listed', { endpoint, isReload });
  }

  #end(delivery: EndpointDelivery, graceMs: number): void {
    const { id, account } = delivery.endpoint;
    this.#all.delete(delivery);
    this.#unseen.delete(delivery);
    const others = this.of(account).filter((sibling) => sibling !== delivery);
    if (others.length === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, others);
    const ended = delivery.end(graceMs).then(() => {
      this.#ending.delete(id);
      this.#refreshes++;
      this.#dependencies.refresh(account);
    });
    this.#ending.set(id, ended);
  }
}

interface Deliverable extends Refreshed {
  isRead(account: string): boolean;
}

/** If a node of the database fails, only its endpoints are missing. Throws: StoreUnavailable if all fail. */
export async function readFromEachNode(
  { store, hooks }: Pick<DeliveryDependencies, 'store' | 'hooks'>,
  query: DeliverableQuery,
): Promise<Deliverable> {
  const nodes = store.nodes?.() ?? [''];
  const read = nodes.map((node) => withinTime(store.listDeliverable(query, node), CALL_TIMEOUT_MS));
  const settled = await Promise.allSettled(read);
  const failed = new Map<string, unknown>();
  for (const [index, one] of settled.entries())
    if (one.status === 'rejected') failed.set(nodes[index] as string, one.reason);
  const [first] = failed.values();
  if (failed.size === nodes.length) throw first;
  if (failed.size > 0) hooks.onError(first);
  const all = settled.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const isRead = (account: string) => failed.size === 0 || !failed.has(store.nodeOf?.(account) ?? '');
  if ('accounts' in query || all.length < query.limit) return { endpoints: all, last: null, isRead };
  if (nodes.length > 1) all.sort((a, b) => compare(a.account, b.account) || compare(a.id, b.id));
  const endpoints = all.slice(0, query.limit);
  return { endpoints, last: endpoints.at(-1) ?? null, isRead };
}

const compare = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0);
