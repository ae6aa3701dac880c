import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Change } from '../../../src/ledger/changes/change.ts';
import type { DeliveryHooks, DeliveryStore } from '../../../src/webhooks/delivery/delivery-dependencies.ts';
import { WebhookDeliveries } from '../../../src/webhooks/delivery/webhook-deliveries.ts';
import type { Attempt, Send, SendResult } from '../../../src/webhooks/send.ts';
import type { WebhookEndpoint } from '../../../src/webhooks/webhook.ts';
import { SAMPLE } from '../data/transactions.ts';
import { someStamp } from '../store/audit.ts';
import { ModelWebhooks } from './model-webhooks.ts';
import { webhook } from './webhooks.ts';

type Call = <Result>(name: keyof DeliveryStore, work: () => Result) => Promise<Result>;

/**
 * `pass` moves the clock in these steps. They are shorter than the time between two renewals of the lease.
 */
const STEP_MS = 500;
const BEGAN_MS = Date.parse('2026-11-01T00:00:00Z');

export const upTo = (last: number, first = 1) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

export const OK: SendResult = { status: 200, retryAfterMs: null };
export const DOWN: SendResult = { error: 'the connection was refused' };

export interface Received {
  url: string;
  id: string;
  sequence: number;
  atMs: number;
  attempt: Attempt;
}

export type Receiver = (received: Received) => SendResult | Promise<SendResult>;

interface InstanceOptions {
  rules?: string;
  send?: Send;
}

export class DeliveryRig {
  readonly webhooks = new ModelWebhooks(
    () => this.elapsedMs,
    (account, sequence, nonce) => this.changes.get(account)?.[sequence - 1]?.nonce === nonce,
  );
  readonly changes = new Map<string, Change[]>();
  readonly received: Received[] = [];
  readonly events: string[] = [];
  readonly running: WebhookDeliveries[] = [];
  readonly #killed = new Set<string>();
  readonly #names = new Map<WebhookDeliveries, string>();
  elapsedMs = 0;
  jumpMs = 0;
  readonly newFailures: string[] = [];
  receiver: Receiver = () => OK;
  around: (name: string, call: () => unknown) => Promise<unknown> = async (_name, call) => call();
  cluster: { nodes: readonly string[]; nodeOf: (account: string) => string } | null = null;
  frozen: string | null = null;
  readonly #t: TestContext;
  #nonces = 0;

  constructor(t: TestContext) {
    this.#t = t;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    t.after(async () => {
      for (const deliveries of this.running) void deliveries.stop(0);
      await this.pass(30_000);
    });
  }

  record(account: string, count: number, status = 'completed'): void {
    const changes = this.changes.get(account) ?? [];
    this.changes.set(account, changes);
    for (let added = 0; added < count; added++) {
      const sequence = changes.length + 1;
      const transaction = { ...SAMPLE, reference: `pay_${sequence}`, status };
      changes.push({
        sequence,
        nonce: ++this.#nonces,
        previousStatus: null,
        recordedAtMs: this.now(),
        transaction,
      });
    }
    this.webhooks.move(account);
    for (const deliveries of this.running) deliveries.noteRecorded(account);
  }

  create(fields: Partial<WebhookEndpoint> = {}): void {
    const named = { id: 'we_1', account: 'shop-1', url: 'https://shop.example/hook' };
    this.webhooks.createWebhook(webhook(1, { ...named, createdAtMs: BEGAN_MS, ...fields }), 20);
  }

  endpoint(id = 'we_1'): WebhookEndpoint {
    return this.webhooks.rows.get(id)?.endpoint as WebhookEndpoint;
  }

  failures(id = 'we_1'): number[] {
    return [...(this.webhooks.rows.get(id)?.failures.keys() ?? [])].sort((one, other) => one - other);
  }

  get sequences(): number[] {
    return this.received.map(({ sequence }) => sequence);
  }

  readonly now = (): number => BEGAN_MS + this.elapsedMs + this.jumpMs;

  async start(instance = 'A', { rules = 'public', send = this.#send }: InstanceOptions = {}) {
    const deliveries = new WebhookDeliveries({
      instance,
      rules,
      store: this.#store(instance),
      now: this.now,
      monotonicMs: () => this.elapsedMs,
      random: () => 0,
      stamp: () => someStamp(),
      turns: { next: async () => {}, isBusy: false },
      hooks: this.#hooks(),
      send: (attempt) => (this.#killed.has(instance) ? new Promise(() => {}) : send(attempt)),
    });
    this.running.push(deliveries);
    this.#names.set(deliveries, instance);
    deliveries.start();
    await this.settle();
    return deliveries;
  }

  startWith(changes: number, fields: Partial<WebhookEndpoint> = {}): Promise<WebhookDeliveries> {
    this.create(fields);
    this.record('shop-1', changes);
    return this.start();
  }

  kill(deliveries: WebhookDeliveries): void {
    this.#killed.add(this.#names.get(deliveries) as string);
    this.running.splice(this.running.indexOf(deliveries), 1);
  }

  async pass(milliseconds: number, stepMs = STEP_MS): Promise<void> {
    for (let leftMs = milliseconds; leftMs > 0; leftMs -= stepMs) {
      const passedMs = Math.min(stepMs, leftMs);
      this.elapsedMs += passedMs;
      this.#t.mock.timers.tick(passedMs);
      await this.settle();
    }
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 3; turn++) await nextTurn();
  }

  readonly #send = async (attempt: Attempt): Promise<SendResult> => {
    const { data } = JSON.parse(attempt.body);
    const id = attempt.headers['webhook-id'] as string;
    const received = { url: attempt.url, id, sequence: data.sequence, atMs: this.elapsedMs, attempt };
    this.received.push(received);
    const aborted = new Promise<SendResult>((resolve) => {
      attempt.signal?.addEventListener('abort', () => resolve({ error: 'aborted' }), { once: true });
    });
    return Promise.race([this.receiver(received), aborted]);
  };

  #hooks(): DeliveryHooks {
    return {
      onAttempt: () => {},
      onFailure: ({ id }, { sequence, error }) => this.newFailures.push(`${id} ${sequence}: ${error}`),
      onPaused: ({ id }, isPaused) => this.events.push(`${id} ${isPaused ? 'paused' : 'goes on'}`),
      onDisabled: ({ id }, reason) => this.events.push(`${id} disabled: ${reason}`),
      onMovedBack: ({ id }, { from, to }) => this.events.push(`${id} moved back from ${from} to ${to}`),
      onMissing: ({ id }, sequence) => this.events.push(`${id} has no change ${sequence}`),
      onOtherRules: () => {},
      onError: (error) => this.events.push(`error: ${(error as Error).message}`),
    };
  }

  #store(instance: string): DeliveryStore {
    const call: Call = <Result>(name: string, work: () => Result) =>
      this.#killed.has(instance)
        ? new Promise<never>(() => {})
        : (this.around(name, work) as Promise<Result>);
    const ofNode = <Result>(node: string | undefined, work: () => Promise<Result>) =>
      node !== undefined && node === this.frozen ? new Promise<never>(() => {}) : work();
    const { webhooks } = this;
    const nodeOf = (account: string) => this.cluster?.nodeOf(account) ?? '';
    return {
      findWebhook: (account, id) => call('findWebhook', () => webhooks.findWebhook(account, id)),
      replaceWebhook: (replaced, by) => call('replaceWebhook', () => webhooks.replaceWebhook(replaced, by)),
      listWebhookFailures: (account, id, after, limit) =>
        call('listWebhookFailures', () => webhooks.listWebhookFailures(account, id, after, limit)),
      leaseWebhooks: (request) => call('leaseWebhooks', () => webhooks.leaseWebhooks(request)),
      listMovedAccounts: (mark) => call('listMovedAccounts', () => webhooks.listMovedAccounts(mark)),
      watchAccounts: () => call('watchAccounts', () => {}),
      storeProgress: (account, id, version, progress) =>
        call('storeProgress', () => webhooks.storeProgress(account, id, version, progress)),
      disableWebhook: (account, id, version, disabled) =>
        call('disableWebhook', () => webhooks.disableWebhook(account, id, version, disabled)),
      nodeOf: nodeOf,
      nodes: () => this.cluster?.nodes ?? [''],
      listDeliverable: (part, node) =>
        ofNode(node ?? this.frozen ?? '', () =>
          call('listDeliverable', () =>
            webhooks.listDeliverable(part, (account) => node === undefined || nodeOf(account) === node),
          ),
        ),
      listChanges: ({ account, after, limit }) =>
        ofNode(nodeOf(account), () =>
          call('listChanges', () => {
            const changes = this.changes.get(account) ?? [];
            const page = changes.slice(after, after + limit);
            return {
              last: changes[after - 1],
              changes: page,
              headSequence: changes.length,
              floorSequence: 0,
            };
          }),
        ),
      readHeads: (accounts) =>
        call(
          'readHeads',
          () => new Map(accounts.map((account) => [account, this.changes.get(account)?.length ?? 0])),
        ),
    };
  }
}
