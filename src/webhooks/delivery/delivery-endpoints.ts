import { bucketOf, type DeliverableEndpoint, type DeliverablePart, WEBHOOK_BUCKETS } from '../webhook.ts';
import type { DeliveryDependencies, DeliveryStatus, EndpointName } from './delivery-dependencies.ts';
import { isPaused } from './delivery-state.ts';
import { EndpointDelivery } from './endpoint-delivery.ts';
import { isAtHead, waitsForReceiver } from './next-step.ts';
import type { ReadPart } from './unread-endpoints.ts';

/** The endpoints that this instance delivers to. */
export class DeliveryEndpoints {
  readonly #dependencies: DeliveryDependencies;
  readonly #byAccount = new Map<string, readonly EndpointDelivery[]>();
  readonly #byBucket = Array.from({ length: WEBHOOK_BUCKETS }, () => new Set<EndpointDelivery>());
  /** Deliveries that are ending. Others of the same endpoint begin afterwards. */
  readonly #ending = new Map<string, Promise<void>>();
  #refreshes = 0;

  constructor(dependencies: DeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#byBucket.reduce((sum, deliveries) => sum + deliveries.size, 0);
  }

  /** The delivery to an endpoint. An account has few. */
  find({ account, id }: EndpointName): EndpointDelivery | undefined {
    return this.of(account).find(({ endpoint }) => endpoint.id === id);
  }

  get status(): Omit<DeliveryStatus, 'inFlight' | 'hasOtherRules'> {
    const status = {
      endpoints: this.size,
      paused: 0,
      failures: 0,
      lagChanges: 0,
      lagMs: 0,
      pausedChanges: 0,
    };
    const { now, monotonicMs } = this.#dependencies;
    for (const { state } of this.#all()) {
      if (isPaused(state)) status.paused++;
      status.failures += state.failures.size;
      const lagChanges = Math.max(0, state.headSequence - state.acknowledged);
      // A receiver that fails says nothing about this service.
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

  *#all(): Generator<EndpointDelivery> {
    for (const deliveries of this.#byBucket) yield* deliveries;
  }

  of(account: string): readonly EndpointDelivery[] {
    return this.#byAccount.get(account) ?? [];
  }

  /** The accounts whose heads have to be read: for the next change, and for the lag of endpoints that read no changes meanwhile. */
  accountsToPoll(): string[] {
    const isPolled = ({ state }: EndpointDelivery) => isAtHead(state) || isPaused(state);
    return [...this.#byAccount]
      .filter(([, deliveries]) => deliveries.some(isPolled))
      .map(([account]) => account);
  }

  /**
   * Call before the endpoints of a part are read, and what it returns with those that were read: deliveries begin to those that are new,
   * and end to those that are absent, unless their account could not be read. It returns false, and does nothing, if another refresh or
   * the end of deliveries has begun since.
   */
  beginRefresh(
    part: ReadPart,
  ): (
    listed: readonly DeliverableEndpoint[],
    isRead: (account: string) => boolean,
    graceMs: number,
  ) => boolean {
    const refresh = ++this.#refreshes;
    const storedBefore = new Map<string, number>();
    for (const { endpoint, state } of this.#ofPart(part))
      storedBefore.set(endpoint.id, state.stored.acknowledged);
    return (listed, isRead, graceMs) => {
      if (refresh !== this.#refreshes) return false;
      const ids = new Set(listed.map(({ id }) => id));
      for (const delivery of this.#ofPart(part))
        if (!ids.has(delivery.endpoint.id) && isRead(delivery.endpoint.account)) this.#end(delivery, graceMs);
      for (const endpoint of listed) this.#take(endpoint, storedBefore.get(endpoint.id), part.reloads);
      return true;
    };
  }

  #ofPart(part: DeliverablePart): EndpointDelivery[] {
    return 'buckets' in part
      ? part.buckets.flatMap((bucket) => [...(this.#byBucket[bucket] ?? [])])
      : part.accounts.flatMap((account) => this.of(account));
  }

  /** Ends all deliveries. Attempts in flight are aborted after a time. */
  async endAll(graceMs: number): Promise<void> {
    this.#refreshes++;
    for (const delivery of this.#all()) this.#end(delivery, graceMs);
    await Promise.all(this.#ending.values());
  }

  #take(endpoint: DeliverableEndpoint, storedBefore: number | undefined, isReloading: boolean): void {
    const { id, account } = endpoint;
    const delivery = this.find(endpoint);
    // It begins when the deliveries before it have ended.
    if (this.#ending.has(id)) return;
    if (delivery === undefined) {
      const begun = new EndpointDelivery(endpoint, this.#dependencies);
      // An array of one: V8 would leave room for sixteen more in one made by spreading.
      this.#byAccount.set(account, this.of(account).concat(begun));
      this.#byBucket[bucketOf(account)]?.add(begun);
      begun.continue();
      return;
    }
    // Created since the endpoints were read.
    if (storedBefore === undefined) return;
    const { version } = delivery.endpoint;
    const isMovedBack = endpoint.acknowledgedSequence < storedBefore;
    if (delivery.state.phase === 'over' || endpoint.replayVersion > version || isMovedBack) {
      if (isMovedBack && endpoint.replayVersion <= version)
        this.#dependencies.hooks.onMovedBack(endpoint, {
          from: storedBefore,
          to: endpoint.acknowledgedSequence,
        });
      delivery.restart();
      this.#end(delivery, 0);
      return;
    }
    delivery.apply('listed', { endpoint, isReload: isReloading });
  }

  #end(delivery: EndpointDelivery, graceMs: number): void {
    const { id, account } = delivery.endpoint;
    this.#byBucket[bucketOf(account)]?.delete(delivery);
    const others = this.of(account).filter((sibling) => sibling !== delivery);
    if (others.length === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, others);
    const ended = delivery.end(graceMs).then(() => {
      this.#ending.delete(id);
      // What was read before does not show its last progress.
      this.#refreshes++;
      this.#dependencies.refresh(account);
    });
    this.#ending.set(id, ended);
  }
}
