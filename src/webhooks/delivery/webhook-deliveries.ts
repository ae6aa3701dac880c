import type { Turns } from '../../../values/background-turns.ts';
import { withinTime } from '../../../values/time-limit.ts';
import type { MovedAccounts } from '../../ledger/changes/changes.ts';
import { type DeliverableEndpoint, type EndpointName, LEASE_MS } from '../webhook.ts';
import { AttemptSlots, ReadQueue } from './attempt-slots.ts';
import type { DeliveryDependencies, DeliveryStatus } from './delivery-dependencies.ts';
import { DeliveryEndpoints, readFromEachNode } from './delivery-endpoints.ts';
import { CALL_TIMEOUT_MS } from './endpoint-delivery.ts';
import { NewlyWatched, READ_AT_ONCE, UnreadEndpoints } from './unread-endpoints.ts';

/** Deliveries stop this long before the lease ends: the local clock can be slower than the database's. */
const LEASE_MARGIN_MS = 500;
const RENEW_MS = 1500;
const POLL_MS = 1000;
/** A pause lasts nine times as long as the work before it, so that requests keep 90 % of the time. */
const PAUSE_OF_WORK = 9;
const MAX_PAUSE_MS = 200;
const LAST_CALL_MS = 2000;

interface WebhookDeliveriesOptions
  extends Pick<
    DeliveryDependencies,
    'store' | 'send' | 'now' | 'monotonicMs' | 'random' | 'stamp' | 'hooks'
  > {
  turns: Turns;
  /** Identifies this process in the lease: no other process, past or present, has the same text. */
  instance: string;
  rules: string;
}

/** Delivers while this instance has the lease. Runs until `stop`, even if the database or receivers fail. */
export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #slots: AttemptSlots;
  readonly #endpoints: DeliveryEndpoints;
  #hadLease = false;
  #otherRules = false;
  /** A time of the monotonic clock. */
  #leasedUntilMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  readonly #unread = new UnreadEndpoints();
  /** Null after an error, because the next call may reach another database, where the mark is not valid. */
  #mark: string | null = null;
  readonly #newlyWatched = new NewlyWatched();
  #isRefreshing = false;
  #renewing: Promise<void> = Promise.resolve();
  readonly #timers = new Map<'renew' | 'poll' | 'lapse' | 'refresh', NodeJS.Timeout>();

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
    this.#slots = new AttemptSlots(options.turns);
    const dependencies: DeliveryDependencies = {
      ...options,
      slots: this.#slots,
      reads: new ReadQueue(options.turns, (account) => options.store.nodeOf?.(account) ?? ''),
      isLeased: () => this.#isLeased,
      pace: { waiting: 0 },
      refresh: (account) => this.noteManaged(account),
      noteStored: (endpoint, before) => this.#endpoints.noteStored(endpoint, before),
    };
    this.#endpoints = new DeliveryEndpoints(dependencies);
  }

  get status(): DeliveryStatus {
    return {
      ...this.#endpoints.status,
      inFlight: this.#slots.inFlight,
      hasOtherRules: this.#otherRules,
    };
  }

  start(): void {
    this.#renew();
    this.#setTimer('poll', POLL_MS, () => this.#poll());
  }

  noteRecorded(account: string): void {
    for (const delivery of this.#endpoints.of(account)) delivery.apply('recorded');
  }

  noteTested(endpoint: EndpointName): void {
    this.#endpoints.find(endpoint)?.apply('tested');
  }

  /** Resolves at most a few seconds after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const ended = this.#endpoints.endAll(graceMs);
    await withinTime(ended, graceMs + 2 * CALL_TIMEOUT_MS + LAST_CALL_MS).catch(this.#options.hooks.onError);
    this.#leasedUntilMs = Number.NEGATIVE_INFINITY;
    const { store, instance, rules, hooks } = this.#options;
    await withinTime(this.#renewing, LAST_CALL_MS).catch(hooks.onError);
    if (!this.#hadLease) return;
    const returned = store.leaseWebhooks({ instance, rules, leaseMs: 0 });
    await withinTime(returned, LAST_CALL_MS).catch(hooks.onError);
  }

  get #isLeased(): boolean {
    return this.#options.monotonicMs() < this.#leasedUntilMs && !this.#isStopped;
  }

  #setTimer(name: 'renew' | 'poll' | 'lapse' | 'refresh', milliseconds: number, callback: () => void): void {
    clearTimeout(this.#timers.get(name));
    if (!this.#isStopped) this.#timers.set(name, setTimeout(callback, milliseconds));
  }

  #renew(): void {
    const startedMs = this.#options.monotonicMs();
    this.#renewing = this.#lease(startedMs)
      .catch(this.#options.hooks.onError)
      .then(() => {
        const tookMs = this.#options.monotonicMs() - startedMs;
        this.#setTimer('renew', Math.max(0, RENEW_MS - tookMs), () => this.#renew());
      });
  }

  async #lease(startedMs: number): Promise<void> {
    const { store, instance, rules, hooks, monotonicMs } = this.#options;
    if (!this.#hadLease) {
      const { endpoints } = await readFromEachNode(this.#options, { after: null, limit: 1 });
      if (endpoints.length === 0) return;
    }
    const leasing = store.leaseWebhooks({ instance, rules, leaseMs: LEASE_MS });
    const lease = await withinTime(leasing, CALL_TIMEOUT_MS);
    this.#hadLease = lease.isHeld;
    this.#otherRules = lease.rules !== rules;
    if (this.#isStopped) return;
    if (this.#otherRules) hooks.onOtherRules(lease.rules);
    // Between two leases, another instance may have delivered.
    if (!this.#isLeased || !lease.isHeld) this.#lapse();
    if (!lease.isHeld) return;
    if (!this.#isLeased) {
      // This comes before the endpoints are read, so that `#poll` lists accounts that change meanwhile.
      this.#mark = (await this.#listMoved()).mark;
      this.#unread.begin(monotonicMs());
    }
    this.#leasedUntilMs = startedMs + LEASE_MS - LEASE_MARGIN_MS;
    this.#setTimer('lapse', this.#leasedUntilMs - monotonicMs(), () => this.#lapse());
    this.#unread.readAgainIfDue(monotonicMs());
    // Not awaited, so that the lease is renewed meanwhile.
    void this.#refresh();
  }

  #lapse(): void {
    this.#leasedUntilMs = Number.NEGATIVE_INFINITY;
    this.#unread.forget();
    void this.#endpoints.endAll(0);
  }

  noteManaged(account: string): void {
    if (!this.#isLeased) return;
    this.#unread.addAccount(account);
    if (!this.#isRefreshing) this.#setTimer('refresh', 0, () => this.#refresh());
  }

  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#isLeased && !this.#unread.isEmpty) {
      const startedMs = this.#options.monotonicMs();
      if (!(await this.#refreshSome())) break;
      if (!this.#unread.isEmpty) await this.#pauseAfter(startedMs);
    }
    this.#isRefreshing = false;
  }

  async #refreshSome(): Promise<boolean> {
    const part = this.#unread.take();
    try {
      const read = await this.#endpoints.refresh(part, (endpoints) => this.#watch(endpoints));
      if (read === undefined) this.#unread.putBack(part);
      else this.#unread.noteRead(part, read.last);
      return true;
    } catch (error) {
      this.#unread.putBack(part);
      this.#options.hooks.onError(error);
      return false;
    }
  }

  /** The accounts of a copied database are not watched yet. */
  async #watch(endpoints: readonly DeliverableEndpoint[]): Promise<void> {
    const { store, monotonicMs } = this.#options;
    const unwatched = new Set<string>();
    for (const endpoint of endpoints) {
      const { account, isWatched } = endpoint;
      if (!isWatched) unwatched.add(account);
      if (!isWatched || this.#endpoints.find(endpoint) === undefined)
        this.#newlyWatched.add(account, monotonicMs());
    }
    if (unwatched.size > 0) await withinTime(store.watchAccounts([...unwatched]), CALL_TIMEOUT_MS);
  }

  #pauseAfter(startedMs: number): Promise<void> {
    const workedMs = this.#options.monotonicMs() - startedMs;
    const pauseMs = Math.min(PAUSE_OF_WORK * workedMs, MAX_PAUSE_MS);
    return new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  async #poll(): Promise<void> {
    try {
      if (this.#isLeased) await this.#readMoved();
    } catch (error) {
      this.#mark = null;
      this.#options.hooks.onError(error);
    }
    this.#setTimer('poll', POLL_MS, () => this.#poll());
  }

  #listMoved(): Promise<MovedAccounts> {
    return withinTime(this.#options.store.listMovedAccounts(this.#mark), CALL_TIMEOUT_MS);
  }

  async #readMoved(): Promise<void> {
    const { mark, accounts } = await this.#listMoved();
    const newlyWatched = this.#newlyWatched.take(this.#options.monotonicMs());
    if (accounts === null) {
      this.#unread.addAll();
      await this.#readHeads(this.#endpoints.accountsToPoll());
    } else {
      for (const account of accounts) this.#unread.addAccount(account);
      await this.#readHeads([...new Set([...accounts, ...newlyWatched])]);
    }
    this.#mark = mark;
    void this.#refresh();
  }

  async #readHeads(accounts: readonly string[]): Promise<void> {
    const { store, monotonicMs } = this.#options;
    let startedMs = monotonicMs();
    for (let first = 0; first < accounts.length && this.#isLeased; first += READ_AT_ONCE) {
      if (first > 0) await this.#pauseAfter(startedMs);
      startedMs = monotonicMs();
      const some = accounts.slice(first, first + READ_AT_ONCE);
      const heads = await withinTime(store.readHeads(some), CALL_TIMEOUT_MS);
      for (const [account, headSequence] of heads)
        for (const delivery of this.#endpoints.of(account)) delivery.apply('recorded', headSequence);
    }
  }
}
