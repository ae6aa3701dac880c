import type { Turns } from '../../values/background-turns.ts';
import { withinTime } from '../../values/time-limit.ts';
import type { Send } from '../send.ts';
import { bucketOf, type DeliverableEndpoint, WEBHOOK_BUCKETS } from '../webhook.ts';
import { ATTEMPT_TIMEOUT_MS, type RandomNumber } from './attempt-schedule.ts';
import { AttemptSlots, ReadQueue } from './attempt-slots.ts';
import type {
  DeliveryClock,
  DeliveryDependencies,
  DeliveryHooks,
  DeliveryStatus,
  DeliveryStore,
  EndpointName,
} from './delivery-dependencies.ts';
import { DeliveryEndpoints } from './delivery-endpoints.ts';
import { CALL_TIMEOUT_MS } from './endpoint-delivery.ts';

const LEASE_MS = 6000;
/** A lease ends so much earlier for this instance, because its clock and that of the database differ in speed. */
const LEASE_MARGIN_MS = 500;
const RENEW_MS = 1500;
/** How often the heads are read, for the changes that other processes record. */
const POLL_MS = 1000;
const ALL_BUCKETS = Array.from({ length: WEBHOOK_BUCKETS }, (_, bucket) => bucket);
/** So many endpoints, or accounts, are read before others have a turn: some milliseconds of work. */
const READ_AT_ONCE = 1000;
/** Between two slices of many is a pause of so many times the work. */
const PAUSE_OF_WORK = 9;
/** Also if the database was slow. */
const MAX_PAUSE_MS = 200;
/** The calls that end deliveries have so much time after the attempts. */
const LAST_CALL_MS = 2000;

interface WebhookDeliveriesOptions extends DeliveryClock {
  store: DeliveryStore;
  send: Send;
  random: RandomNumber;
  hooks: DeliveryHooks;
  turns: Turns;
  /** Identifies this process in the leases: no other one, and none before it, has the same. */
  instance: string;
}

/**
 * Delivers the changes of accounts to their webhook endpoints, as far as this instance has the leases. It goes on until `stop`, whatever the
 * database and the receivers do.
 */
export class WebhookDeliveries {
  readonly #options: WebhookDeliveriesOptions;
  readonly #slots: AttemptSlots;
  readonly #endpoints: DeliveryEndpoints;
  #held: readonly number[] = [];
  /** Buckets that this instance has too many of: it begins nothing there, and gives them back when everything there has ended. */
  #leaving: readonly number[] = [];
  #isDrained = false;
  /** By the monotonic clock. */
  #leasedUntilMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  /** The buckets whose endpoints have to be read. */
  #unread: Set<number> = new Set();
  #isRefreshing = false;
  #renewing: Promise<void> = Promise.resolve();
  readonly #timers = new Map<'renew' | 'poll' | 'lapse' | 'refresh', NodeJS.Timeout>();

  constructor(options: WebhookDeliveriesOptions) {
    this.#options = options;
    this.#slots = new AttemptSlots(options.turns, options.monotonicMs);
    const dependencies: DeliveryDependencies = {
      ...options,
      slots: this.#slots,
      reads: new ReadQueue(options.turns, (account) => options.store.serverOf?.(account) ?? ''),
      isLeased: () => this.#isLeased,
      pace: { waiting: 0 },
      refresh: (account) => this.#noteUnread(account),
    };
    this.#endpoints = new DeliveryEndpoints(dependencies);
  }

  get status(): DeliveryStatus {
    return { ...this.#endpoints.status, inFlight: this.#slots.inFlight };
  }

  start(): void {
    this.#renew();
    this.#setTimer('poll', POLL_MS, () => this.#poll());
  }

  /** Call when this process has recorded changes of an account. */
  noteRecorded(account: string): void {
    for (const delivery of this.#endpoints.of(account)) delivery.apply('recorded');
  }

  /** Call when this process has created or changed an endpoint of an account. Otherwise this is noticed with the next renewal of the leases. */
  noteManaged(account: string): void {
    this.#noteUnread(account);
  }

  /** Call when a test of an endpoint was delivered: its receiver works, so the next attempt begins now. */
  noteTested({ account, id }: EndpointName): void {
    for (const delivery of this.#endpoints.of(account))
      if (delivery.endpoint.id === id) delivery.apply('tested');
  }

  /**
   * Begins no attempts any more, aborts those in flight after `graceMs`, stores progress and gives the leases back. Resolves within
   * `graceMs` and a few seconds.
   */
  async stop(graceMs: number): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const ended = this.#endpoints.endAll(graceMs);
    await withinTime(ended, graceMs + 2 * CALL_TIMEOUT_MS + LAST_CALL_MS).catch(this.#options.hooks.onError);
    this.#leasedUntilMs = Number.NEGATIVE_INFINITY;
    const { store, instance, hooks } = this.#options;
    await withinTime(this.#renewing, LAST_CALL_MS).catch(hooks.onError);
    if (this.#held.length === 0) return;
    const request = { instance, leaseMs: 0, release: this.#held };
    await withinTime(store.leaseWebhooks(request), LAST_CALL_MS).catch(hooks.onError);
  }

  get #isLeased(): boolean {
    return this.#options.monotonicMs() < this.#leasedUntilMs && !this.#isStopped;
  }

  #setTimer(name: 'renew' | 'poll' | 'lapse' | 'refresh', milliseconds: number, callback: () => void): void {
    clearTimeout(this.#timers.get(name));
    if (!this.#isStopped) this.#timers.set(name, setTimeout(callback, milliseconds));
  }

  /** Renews the leases at an interval. */
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
    const { store, instance, monotonicMs } = this.#options;
    // Without endpoints, nothing is written.
    if (this.#held.length === 0 && (await readDeliverable(this.#options, ALL_BUCKETS)).endpoints.length === 0)
      return;
    const release = this.#isDrained && this.#endpoints.isEnded ? this.#leaving : [];
    const request = { instance, leaseMs: LEASE_MS, release };
    const { held, instances } = await withinTime(store.leaseWebhooks(request), CALL_TIMEOUT_MS);
    if (this.#isStopped) return;
    this.#leasedUntilMs = startedMs + LEASE_MS - LEASE_MARGIN_MS;
    this.#setTimer('lapse', this.#leasedUntilMs - monotonicMs(), () => this.#lapse());
    const share = Math.ceil(WEBHOOK_BUCKETS / Math.max(1, instances));
    const leaving = held.slice(share);
    if (leaving.join() !== this.#leaving.join()) this.#isDrained = false;
    this.#leaving = leaving;
    const isLost = this.#held.some((bucket) => !held.includes(bucket) && !release.includes(bucket));
    this.#held = held;
    if (isLost) this.#lapseBuckets();
    for (const bucket of held) this.#unread.add(bucket);
    // The leases are renewed meanwhile.
    void this.#refresh();
  }

  /** The leases could not be renewed: another instance may have them. */
  #lapse(): void {
    this.#leasedUntilMs = Number.NEGATIVE_INFINITY;
    this.#lapseBuckets();
  }

  /** Which endpoints are in which bucket is not known here. Those that stay begin again with the next list. */
  #lapseBuckets(): void {
    void this.#endpoints.endAll(0);
  }

  /** The endpoints of an account have to be read again soon, before others. */
  #noteUnread(account: string): void {
    this.#unread = new Set([bucketOf(account), ...this.#unread]);
    if (this.#isLeased && !this.#isRefreshing) this.#setTimer('refresh', 0, () => this.#refresh());
  }

  /** Reads the endpoints of the unread buckets, and begins, updates and ends deliveries, some at a time. */
  async #refresh(): Promise<void> {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#isLeased) {
      const startedMs = this.#options.monotonicMs();
      await this.#refreshSome();
      if (this.#unread.size === 0) break;
      await this.#pauseAfter(startedMs);
    }
    this.#isRefreshing = false;
  }

  async #refreshSome(): Promise<void> {
    const leaving = this.#leaving;
    const buckets = this.#held.filter((bucket) => !leaving.includes(bucket));
    const ofBucket = this.#endpoints.size / Math.max(1, buckets.length);
    const next = [...this.#unread].slice(0, Math.max(1, Math.floor(READ_AT_ONCE / Math.max(1, ofBucket))));
    for (const bucket of next) this.#unread.delete(bucket);
    const read = next.filter((bucket) => buckets.includes(bucket));
    const finish = this.#endpoints.beginRefresh(read, buckets);
    try {
      const { endpoints, isRead } = await readDeliverable(this.#options, read);
      // The leases may have lapsed meanwhile.
      if (!this.#isLeased) return;
      if (finish(endpoints, isRead, ATTEMPT_TIMEOUT_MS)) this.#isDrained = leaving === this.#leaving;
      else for (const bucket of read) this.#unread.add(bucket);
    } catch (error) {
      this.#options.hooks.onError(error);
    }
  }

  /** Requests, and other work, have nine tenths of the time however many endpoints there are. */
  #pauseAfter(startedMs: number): Promise<void> {
    const workedMs = this.#options.monotonicMs() - startedMs;
    const pauseMs = Math.min(PAUSE_OF_WORK * workedMs, MAX_PAUSE_MS);
    return new Promise((resolve) => setTimeout(resolve, pauseMs));
  }

  async #poll(): Promise<void> {
    const { store, hooks, monotonicMs } = this.#options;
    try {
      const accounts = this.#isLeased ? this.#endpoints.accountsToPoll() : [];
      let startedMs = monotonicMs();
      for (let first = 0; first < accounts.length && this.#isLeased; first += READ_AT_ONCE) {
        if (first > 0) await this.#pauseAfter(startedMs);
        startedMs = monotonicMs();
        const some = accounts.slice(first, first + READ_AT_ONCE);
        const heads = await withinTime(store.readHeads(some), CALL_TIMEOUT_MS);
        for (const [account, headSequence] of heads)
          for (const delivery of this.#endpoints.of(account)) delivery.apply('recorded', headSequence);
      }
    } catch (error) {
      hooks.onError(error);
    }
    this.#setTimer('poll', POLL_MS, () => this.#poll());
  }
}

/** The endpoints that could be read. */
interface Deliverable {
  endpoints: DeliverableEndpoint[];
  /** Whether the server that has an account was read. */
  isRead(account: string): boolean;
}

/**
 * Reads the enabled endpoints in some buckets, from each server of the database alone: one that fails, or is late, leaves out its own.
 *
 * Throws: StoreUnavailable if no server was read.
 */
async function readDeliverable(
  { store, hooks }: Pick<DeliveryDependencies, 'store' | 'hooks'>,
  buckets: readonly number[],
): Promise<Deliverable> {
  const servers = store.servers?.() ?? [''];
  const read = servers.map((server) => withinTime(store.listDeliverable(buckets, server), CALL_TIMEOUT_MS));
  const settled = await Promise.allSettled(read);
  const failed = new Map<string, unknown>();
  for (const [index, one] of settled.entries())
    if (one.status === 'rejected') failed.set(servers[index] as string, one.reason);
  const [first] = failed.values();
  if (failed.size === servers.length) throw first;
  if (failed.size > 0) hooks.onError(first);
  return {
    endpoints: settled.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    isRead: (account) => failed.size === 0 || !failed.has(store.serverOf?.(account) ?? ''),
  };
}
