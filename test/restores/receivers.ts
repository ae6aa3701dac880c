import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Store } from '../../src/store/store.ts';
import { StoreUnavailable } from '../../src/values/store-errors.ts';
import type { DeliveryHooks, DeliveryStore } from '../../src/webhooks/delivery/delivery-dependencies.ts';
import { WebhookDeliveries } from '../../src/webhooks/delivery/webhook-deliveries.ts';
import type { Attempt, SendResult } from '../../src/webhooks/send.ts';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import type { Random } from '../rig/run/random.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';

const STEP_MS = 500;
/** More steps than everything that waits needs once all receivers are up. */
const MAX_STEPS = 400;
const DOWN: SendResult = { error: 'the connection was refused' };

/** What the programs of receivers know a repeated delivery by. */
export type Remembers = (delivery: { id: string; sequence: number }) => string;

/** A program that handles each delivery that it does not remember. */
class Receiver {
  readonly endpoint: WebhookEndpoint;
  readonly #remembers: Remembers;
  readonly #remembered = new Map<string, string>();
  /** The ids of the changes that it has handled. */
  readonly handled = new Set<string>();
  isUp = true;
  repeated = 0;

  constructor(endpoint: WebhookEndpoint, remembers: Remembers) {
    this.endpoint = endpoint;
    this.#remembers = remembers;
  }

  receive({ headers, body }: Attempt): void {
    const { data } = JSON.parse(body);
    const id = headers['webhook-id'] as string;
    const change = JSON.stringify(data);
    const key = this.#remembers({ id, sequence: data.sequence });
    const remembered = this.#remembered.get(key);
    assert.equal(remembered ?? change, change, 'a receiver drops a change that it takes for another one');
    if (remembered !== undefined) this.repeated++;
    this.#remembered.set(key, change);
    this.handled.add(id);
  }

  isWanted(type: string): boolean {
    return this.endpoint.types?.includes(type) ?? true;
  }
}

interface ReceiversOptions {
  account: string;
  random: Random;
  now: () => number;
  remembers: Remembers;
  /** Wraps what deliveries call. */
  around: (store: DeliveryStore) => DeliveryStore;
}

/** Receivers that are up or down, and a service that delivers to them: it outlives a restore, or is stopped or killed before. */
export class Receivers {
  readonly #options: ReceiversOptions;
  readonly #receivers: Receiver[];
  #service: { deliveries: WebhookDeliveries; kill: () => void } | undefined;
  /** Null while the database is away. */
  #store: Store | null = null;
  /** The calls of the database that run now. */
  readonly #calls = new Set<Promise<unknown>>();
  #elapsedMs = 0;
  #violation: unknown;
  /** Whether the response of a receiver can be lost. */
  #isLossy = true;

  /** Replaces the timers of this thread until `end`. */
  constructor(options: ReceiversOptions) {
    const { random, account, remembers } = options;
    this.#options = options;
    this.#receivers = [1, 2].map((number) => {
      const types = random.chance(0.4) ? ['transaction.completed'] : null;
      return new Receiver(webhook(number, { account, types, ordered: random.chance(0.4) }), remembers);
    });
    mock.timers.enable({ apis: ['setTimeout'] });
  }

  get counts() {
    const sum = (of: (receiver: Receiver) => number) =>
      this.#receivers.reduce((total, receiver) => total + of(receiver), 0);
    return { delivered: sum(({ handled }) => handled.size), repeated: sum(({ repeated }) => repeated) };
  }

  async create(store: Store): Promise<void> {
    for (const { endpoint } of this.#receivers) await store.createWebhook(endpoint, 20, someEntry());
  }

  /** Delivers for some seconds, to the receivers that are up; or briefly: then progress is not stored, which takes a second. */
  async deliver(store: Store, isBrief: boolean): Promise<void> {
    const { random } = this.#options;
    this.#store = store;
    this.#service ??= this.#start();
    for (const receiver of this.#receivers) receiver.isUp = random.chance(0.6);
    this.#service.deliveries.noteRecorded(this.#options.account);
    await this.#pass(isBrief ? random.pick([0, STEP_MS]) : random.integer(0, 8000));
    this.#store = null;
  }

  /** Before a restore, while the database is away. */
  async lose(): Promise<void> {
    const fate = this.#options.random.pick(['outlives', 'outlives', 'stopped', 'killed']);
    await this.#pass(this.#options.random.integer(0, 3000));
    if (fate === 'outlives') return;
    if (fate === 'killed') this.#service?.kill();
    else await this.#service?.deliveries.stop(0);
    this.#service = undefined;
  }

  /** Everything that waits is delivered. Each change that a receiver wants must have arrived there. */
  async deliverAll(store: Store, changes: ReadonlyMap<string, string>): Promise<void> {
    const { account, now } = this.#options;
    this.#store = store;
    this.#service ??= this.#start();
    for (const receiver of this.#receivers) receiver.isUp = true;
    this.#isLossy = false;
    await this.#pass(2 * STEP_MS);
    for (const { endpoint } of this.#receivers)
      for (const { sequence } of await store.listWebhookFailures(account, endpoint.id, 0, 1000))
        await store.retryWebhookFailure(account, endpoint.id, sequence, now());
    this.#service.deliveries.noteManaged(account);
    for (let steps = 0; await this.#isWaiting(store, changes.size); steps++) {
      assert.ok(steps < MAX_STEPS, 'deliveries do not end');
      await this.#pass(4 * STEP_MS);
    }
    await this.#service.deliveries.stop(0);
    this.#service = undefined;
    for (const receiver of this.#receivers)
      for (const [id, type] of changes)
        if (receiver.isWanted(type))
          assert.ok(receiver.handled.has(id), 'a change of the history did not arrive');
  }

  end(): void {
    this.#service?.kill();
    mock.timers.reset();
  }

  async #isWaiting(store: Store, headSequence: number): Promise<boolean> {
    const endpoints = await store.listWebhooks(this.#options.account);
    return endpoints.some((one) => one.acknowledgedSequence < headSequence || one.failureCount > 0);
  }

  #start() {
    const { random, now, around } = this.#options;
    let isAlive = true;
    const ifAlive = <Result>(work: () => Promise<Result>): Promise<Result> =>
      isAlive ? work().then((result) => (isAlive ? result : new Promise(() => {}))) : new Promise(() => {});
    const deliveries = new WebhookDeliveries({
      // A process that is killed does nothing more, so the next one can have its lease at once.
      instance: 'A',
      rules: 'public',
      store: around(this.#storeOf(ifAlive)),
      now: () => now() + this.#elapsedMs,
      monotonicMs: () => this.#elapsedMs,
      random: () => random.next() / 2 ** 32,
      stamp: () => someStamp(),
      turns: { next: async () => {}, isBusy: false },
      hooks: this.#hooks(),
      send: (attempt) => ifAlive(async () => this.#send(attempt)),
    });
    deliveries.start();
    const kill = () => {
      isAlive = false;
      // Ends its timers.
      void deliveries.stop(0);
    };
    return { deliveries, kill };
  }

  /** The database that is there now. */
  #storeOf(ifAlive: <Result>(work: () => Promise<Result>) => Promise<Result>): DeliveryStore {
    const call = async (name: string, given: unknown[]): Promise<unknown> => {
      const store = this.#store as unknown as Record<
        string,
        (...given: unknown[]) => Promise<unknown>
      > | null;
      if (store === null) throw new StoreUnavailable('database_connection');
      const calling = store[name]?.(...given) as Promise<unknown>;
      this.#calls.add(calling);
      return calling.finally(() => this.#calls.delete(calling));
    };
    return new Proxy({} as DeliveryStore, {
      get: (_, name: string) =>
        name === 'serverOf' || name === 'servers'
          ? this.#store?.[name]?.bind(this.#store)
          : (...given: unknown[]) => ifAlive(() => call(name, given)),
    });
  }

  #hooks(): DeliveryHooks {
    const nothing = () => {};
    return {
      onAttempt: nothing,
      onFailure: nothing,
      onPaused: nothing,
      onDisabled: ({ id }) => assert.fail(`${id} was disabled`),
      onMovedBack: nothing,
      onMissing: nothing,
      onOtherRules: nothing,
      onError: (error) => {
        if (!(error instanceof StoreUnavailable)) this.#violation ??= error;
      },
    };
  }

  #send(attempt: Attempt): SendResult {
    const receiver = this.#receivers.find(({ endpoint }) => endpoint.url === attempt.url) as Receiver;
    if (!receiver.isUp) return DOWN;
    try {
      receiver.receive(attempt);
    } catch (error) {
      this.#violation ??= error;
    }
    return this.#isLossy && this.#options.random.chance(0.1) ? DOWN : { status: 200, retryAfterMs: null };
  }

  /** Time passes only while no call of the database runs, so none is late. */
  async #pass(milliseconds: number): Promise<void> {
    await this.#settle();
    for (let leftMs = milliseconds; leftMs > 0; leftMs -= STEP_MS) {
      this.#elapsedMs += STEP_MS;
      mock.timers.tick(STEP_MS);
      await this.#settle();
    }
    if (this.#violation !== undefined) throw this.#violation;
  }

  async #settle(): Promise<void> {
    for (let quiet = 0; quiet < 3; quiet++) {
      if (this.#calls.size > 0) quiet = 0;
      await Promise.allSettled(this.#calls);
      await nextTurn();
    }
  }
}
