import type { DeliverableEndpoint } from '../webhook.ts';
import type { DeliveryDependencies, DeliveryStatus } from './delivery-dependencies.ts';
import { isPaused } from './delivery-state.ts';
import { EndpointDelivery } from './endpoint-delivery.ts';
import { isAtHead, waitsForReceiver } from './next-step.ts';

/** How often the failures of an endpoint are read again, which another instance may have stored late. */
const RELOAD_MS = 60_000;

/** The endpoints that this instance delivers to. */
export class DeliveryEndpoints {
  readonly #dependencies: DeliveryDependencies;
  readonly #deliveries = new Map<string, EndpointDelivery>();
  readonly #byAccount = new Map<string, Set<EndpointDelivery>>();
  /** Deliveries that are ending. Others of the same endpoint begin afterwards. */
  readonly #ending = new Map<string, Promise<void>>();
  #refreshes = 0;
  #reloadedMs = 0;

  constructor(dependencies: DeliveryDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#deliveries.size;
  }

  /** Whether everything that had to end has ended. */
  get isEnded(): boolean {
    return this.#ending.size === 0;
  }

  get status(): Omit<DeliveryStatus, 'inFlight'> {
    const status = {
      endpoints: this.size,
      paused: 0,
      failures: 0,
      lagChanges: 0,
      lagMs: 0,
      pausedChanges: 0,
    };
    const { now, monotonicMs } = this.#dependencies;
    for (const { state } of this.#deliveries.values()) {
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

  of(account: string): Iterable<EndpointDelivery> {
    return this.#byAccount.get(account) ?? [];
  }

  /** The accounts whose heads have to be read: for the next change, and for the lag of endpoints that read no changes meanwhile. */
  accountsToPoll(): string[] {
    const isPolled = ({ state }: EndpointDelivery) => isAtHead(state) || isPaused(state);
    return [...this.#byAccount]
      .filter(([, deliveries]) => [...deliveries].some(isPolled))
      .map(([account]) => account);
  }

  /**
   * Call before the endpoints are read, and what it returns with all endpoints that were read: deliveries begin to those that are new, and
   * end to those that are absent, unless their account is kept as it is. That returns false, and does nothing, if another refresh has
   * begun since.
   */
  beginRefresh(): (
    listed: readonly DeliverableEndpoint[],
    isKept: (account: string) => boolean,
    graceMs: number,
  ) => boolean {
    const refresh = ++this.#refreshes;
    const storedBefore = new Map(
      [...this.#deliveries].map(([id, { state }]) => [id, state.stored.acknowledged]),
    );
    return (listed, isKept, graceMs) => {
      if (refresh !== this.#refreshes) return false;
      const ids = new Set(listed.map(({ id }) => id));
      for (const [id, delivery] of this.#deliveries)
        if (!ids.has(id) && !isKept(delivery.endpoint.account)) this.#end(delivery, graceMs);
      const nowMs = this.#dependencies.monotonicMs();
      const isReloading = nowMs - this.#reloadedMs >= RELOAD_MS;
      if (isReloading) this.#reloadedMs = nowMs;
      for (const endpoint of listed) this.#take(endpoint, storedBefore.get(endpoint.id), isReloading);
      return true;
    };
  }

  /** Ends all deliveries. Attempts in flight are aborted after a time. */
  async endAll(graceMs: number): Promise<void> {
    this.#refreshes++;
    for (const delivery of this.#deliveries.values()) this.#end(delivery, graceMs);
    await Promise.all(this.#ending.values());
  }

  #take(endpoint: DeliverableEndpoint, storedBefore: number | undefined, isReloading: boolean): void {
    const { id, account } = endpoint;
    const delivery = this.#deliveries.get(id);
    // It begins when the deliveries before it have ended.
    if (this.#ending.has(id)) return;
    if (delivery === undefined) {
      const begun = new EndpointDelivery(endpoint, this.#dependencies);
      this.#deliveries.set(id, begun);
      this.#byAccount.set(account, (this.#byAccount.get(account) ?? new Set()).add(begun));
      begun.continue();
      return;
    }
    // Created since the endpoints were read.
    if (storedBefore === undefined) return;
    const { version } = delivery.endpoint;
    const isSetBack = endpoint.acknowledgedSequence < storedBefore;
    if (delivery.state.phase === 'over' || endpoint.replayVersion > version || isSetBack) {
      if (isSetBack && endpoint.replayVersion <= version)
        this.#dependencies.hooks.onSetBack(endpoint, {
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
    this.#deliveries.delete(id);
    const deliveries = this.#byAccount.get(account);
    deliveries?.delete(delivery);
    if (deliveries?.size === 0) this.#byAccount.delete(account);
    const ended = delivery.end(graceMs).then(() => {
      this.#ending.delete(id);
      // What was read before does not show its last progress.
      this.#refreshes++;
      this.#dependencies.refresh();
    });
    this.#ending.set(id, ended);
  }
}
