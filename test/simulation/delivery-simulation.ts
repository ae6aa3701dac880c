import { WebhookDeliveries } from '../../src/webhooks/delivery/webhook-deliveries.ts';
import type { Send, SendResult } from '../../src/webhooks/send.ts';
import type { Random } from '../rig/run/random.ts';
import { someStamp } from '../rig/store/audit.ts';
import { ModelWebhooks } from '../rig/webhooks/model-webhooks.ts';
import { webhook } from '../rig/webhooks/webhooks.ts';
import { ModelStore } from './model-store.ts';
import { ModelTotals } from './model-totals.ts';
import { randomTransaction } from './random-transactions.ts';
import { Receiver } from './receiver.ts';
import { SimulatedTime } from './simulated-time.ts';
import { GOOD_CONDITIONS, unreliableStore } from './unreliable-store.ts';
import { WallClock } from './wall-clock.ts';

export const ACCOUNTS = ['shop-1', 'shop-2', 'shop-3'];

/** A stop takes no longer after the time that it gives its attempts. */
const STOPS_WITHIN_MS = 12_000;

interface DeliveringInstance {
  name: string;
  isAlive: boolean;
  deliveries: WebhookDeliveries;
}

/** Instances that deliver through faults that the seed decides, to receivers that check what they get. */
export class DeliverySimulation {
  readonly time = new SimulatedTime();
  readonly wallClock = new WallClock(() => this.time.elapsedMs);
  readonly random: Random;
  readonly model = new ModelStore(() => this.time.elapsedMs);
  readonly webhooks = new ModelWebhooks(
    () => this.time.elapsedMs,
    (account, sequence, nonce) => this.model.changes.get(account)?.[sequence - 1]?.change.nonce === nonce,
  );
  readonly receivers: Receiver[] = [];
  readonly history: string[] = [];
  readonly conditions = { ...GOOD_CONDITIONS, slow: 0, stalledUntilMs: 0, writesStalledUntilMs: 0 };
  instances: DeliveringInstance[] = [];
  violation: Error | undefined;
  #started = 0;
  #recorded = 0;

  constructor(random: Random) {
    this.random = random;
    this.#checkWrites();
    for (const account of ACCOUNTS) {
      if (random.chance(0.5)) this.record(account);
      for (let count = random.integer(1, 2); count > 0; count--) this.#create(account);
    }
  }

  log(text: string): void {
    this.history.push(`${String(this.time.elapsedMs).padStart(7)} ms  ${text}`);
  }

  async pass(milliseconds: number): Promise<void> {
    const untilMs = this.time.elapsedMs + milliseconds;
    while (this.time.elapsedMs < untilMs) {
      await this.time.step();
      if (this.violation !== undefined) throw this.violation;
    }
  }

  record(account: string): void {
    const count = this.random.integer(1, 30);
    const transactions = Array.from({ length: count }, () => ({
      ...randomTransaction(this.random, `pay_${++this.#recorded}`),
      account,
    }));
    this.model.recordTransactions(transactions);
    this.webhooks.move(account);
    this.log(`${count} transactions of ${account} are recorded`);
    if (this.instances.length === 0 || this.random.chance(0.3)) return;
    this.random.pick(this.instances).deliveries.noteRecorded(account);
  }

  start(): void {
    const name = `I${++this.#started}`;
    const random = this.random.fork();
    const instance = { name, isAlive: true } as DeliveringInstance;
    const store = unreliableStore({
      model: this.model,
      totals: new ModelTotals(this.model),
      webhooks: this.webhooks,
      random: this.random.fork(),
      conditions: this.conditions,
      monotonicMs: () => this.time.elapsedMs,
      delay: this.time.delay,
      maxLagMs: 0,
      isAlive: () => instance.isAlive,
      log: (text) => this.log(`${name}${text}`),
    });
    instance.deliveries = new WebhookDeliveries({
      instance: name,
      rules: 'public',
      stamp: () => someStamp(),
      store,
      now: () => this.wallClock.now(),
      monotonicMs: () => this.time.elapsedMs,
      random: () => random.next() / 2 ** 32,
      turns: { next: async () => {}, isBusy: false },
      send: (attempt) => this.#send(instance, attempt),
      hooks: {
        onAttempt: ({ id }, { sequence, outcome }) => this.log(`${name} ${id} ${sequence} ${outcome}`),
        onFailure: ({ id }, { sequence }) => this.log(`${name} ${id} keeps ${sequence}`),
        onPaused: ({ id }, isPaused) => this.log(`${name} ${id} ${isPaused ? 'is paused' : 'goes on'}`),
        onDisabled: ({ id }, reason) => this.log(`${name} ${id} is disabled: ${reason}`),
        onMovedBack: ({ id }) => this.#violate(new Error(`${id} was moved back without a restored database`)),
        onMissing: ({ id }, sequence) => this.#violate(new Error(`${id} has no change ${sequence}`)),
        onOtherRules: () => this.#violate(new Error('all instances have the same rules')),
        onError: (error) => {
          if ((error as Error).name !== 'StoreUnavailable') this.#violate(error as Error);
        },
      },
    });
    instance.deliveries.start();
    this.instances.push(instance);
    this.log(`${name} starts`);
  }

  /** Ends an instance: it is killed, or it stops. */
  async end(instance: DeliveringInstance, isKilled: boolean): Promise<void> {
    this.log(`${instance.name} is ${isKilled ? 'killed' : 'stopped'}`);
    this.instances = this.instances.filter((one) => one !== instance);
    if (!isKilled) {
      const graceMs = this.random.integer(0, 5) * 1000;
      const untilMs = this.time.elapsedMs + graceMs + STOPS_WITHIN_MS;
      await instance.deliveries.stop(graceMs);
      if (this.time.elapsedMs > untilMs) this.#violate(new Error(`${instance.name} stopped too late`));
    }
    instance.isAlive = false;
  }

  #create(account: string): void {
    const number = this.receivers.length + 1;
    const id = `we_${number}`;
    const endpoint = webhook(number, {
      id,
      account,
      url: id,
      ordered: this.random.chance(0.4),
      types: this.random.chance(0.3) ? ['transaction.completed'] : null,
    });
    this.webhooks.createWebhook(endpoint, 20);
    this.receivers.push(new Receiver(endpoint, this.model, this.random.fork(), this.time.delay));
    this.log(`${id} of ${account}${endpoint.ordered ? ' ordered' : ''} ${endpoint.types ?? ''}`);
  }

  async #send(instance: DeliveringInstance, attempt: Parameters<Send>[0]): Promise<SendResult> {
    const receiver = this.receivers.find(({ endpoint }) => endpoint.id === attempt.url) as Receiver;
    if (!instance.isAlive) return new Promise(() => {});
    const aborted = new Promise<SendResult>((resolve) => {
      attempt.signal?.addEventListener('abort', () => resolve({ error: 'aborted' }), { once: true });
    });
    const received = receiver.receive(attempt).catch((error: Error): SendResult => {
      this.#violate(error);
      return { error: 'violation' };
    });
    const result = await Promise.race([received, aborted]);
    return instance.isAlive ? result : new Promise(() => {});
  }

  #violate(error: Error): void {
    this.violation ??= error;
  }

  /** No write acknowledges or removes what the receiver has not accepted. */
  #checkWrites(): void {
    const { webhooks } = this;
    const store = webhooks.storeProgress.bind(webhooks);
    webhooks.storeProgress = (account, id, version, progress) => {
      const before = webhooks.findWebhook(account, id)?.acknowledgedSequence ?? 0;
      const isStored = store(account, id, version, progress);
      const after = webhooks.findWebhook(account, id)?.acknowledgedSequence ?? 0;
      const { accepted, wanted } = this.#receiver(id);
      const failed = webhooks.rows.get(id)?.failures;
      for (const sequence of wanted(before, after))
        if (!accepted.has(sequence) && !failed?.has(sequence))
          this.#violate(new Error(`${id}: ${sequence} is acknowledged, and neither delivered nor a failure`));
      for (const sequence of isStored ? progress.delivered : [])
        if (!accepted.has(sequence)) this.#violate(new Error(`${id}: failure ${sequence} is removed`));
      return isStored;
    };
  }

  #receiver(id: string) {
    const receiver = this.receivers.find(({ endpoint }) => endpoint.id === id) as Receiver;
    const { accepted } = receiver;
    return { accepted, wanted: (after: number, upTo: number) => receiver.wanted(after, upTo) };
  }
}
