import assert from 'node:assert/strict';
import { makeApiKey } from '../../src/keys/api-key.ts';
import type { RateLimit } from '../../src/keys/rate-limit.ts';
import { OPERATOR_ACCOUNT } from '../../src/values/caller.ts';
import { type Interval, KnownTransactions } from '../rig/data/known-transactions.ts';
import type { Random } from '../rig/run/random.ts';
import { checkResponse, LONGEST_MS } from './check-response.ts';
import { buildInstance, type Instance, watchRevocations } from './instance.ts';
import { type KnownKey, knownKey } from './known-key.ts';
import { ModelStore } from './model-store.ts';
import { ModelTotals } from './model-totals.ts';
import { randomTransaction } from './random-transactions.ts';
import { SimulatedTime } from './simulated-time.ts';
import { type DatabaseConditions, GOOD_CONDITIONS, unreliableStore } from './unreliable-store.ts';
import { WallClock, type WallInterval } from './wall-clock.ts';

const MOMENTS_PER_MS = 1000;
/** A moment before everything that is simulated, also on replicas. */
const BEFORE = -1e9;

interface SimulationOptions {
  random: Random;
  cursorLifetimeSeconds: number;
  rateLimit: RateLimit | null;
  maxLagMs: number;
}

export interface SimulatedRequest {
  to: 'public' | 'operator';
  /** The instance that gets the request; a random one by default. */
  instance?: Instance;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  url: string;
  key: KnownKey | string | null;
  /** A body to write as JSON. */
  body?: unknown;
  /** A body sent unchanged. */
  text?: string;
  headers?: Record<string, string>;
  /** How many deadlines the response may take. */
  deadlines?: number;
  /** How long it may wait for changes. Its key is checked again after that. */
  waitMs?: number;
}

export interface SimulatedResponse extends Interval {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are read
  body: any;
  text: string;
  instance: Instance;
  startedMs: number;
  endedMs: number;
  /** The earliest time at which its key was checked for the last time. */
  authenticatedMs: number;
  /** What the wall clock showed since then. */
  wall: WallInterval;
}

/** The service with its clients, clocks and database: none of them real, all of them decided by a seed. */
export class Simulation {
  readonly time = new SimulatedTime();
  readonly wallClock = new WallClock(() => this.time.elapsedMs);
  readonly random: Random;
  readonly options: SimulationOptions;
  readonly conditions: DatabaseConditions = {
    ...GOOD_CONDITIONS,
    stalledUntilMs: 0,
    writesStalledUntilMs: 0,
  };
  readonly model: ModelStore;
  readonly totals: ModelTotals;
  readonly history: string[] = [];
  readonly accounts: KnownTransactions[] = [];
  readonly keys: KnownKey[] = [];
  readonly operatorKey: KnownKey;
  instances: Instance[] = [];
  responses = 0;
  #requests = 0;
  #seed: Random;
  #lastMomentMs = -1;
  #momentsInMs = 0;

  constructor(options: SimulationOptions) {
    this.options = options;
    this.random = options.random;
    this.#seed = options.random.fork();
    this.model = new ModelStore(() => (this.instances.length === 0 ? BEFORE : this.time.elapsedMs));
    this.totals = new ModelTotals(this.model);
    for (const account of ['shop-1', 'shop-2']) {
      this.accounts.push(this.#initialTransactions(account));
      this.keys.push(this.#initialKey(account));
    }
    this.operatorKey = this.#initialKey(OPERATOR_ACCOUNT);
  }

  /** A point in the order of all events. */
  moment(): number {
    const { elapsedMs } = this.time;
    if (elapsedMs !== this.#lastMomentMs) this.#momentsInMs = 0;
    this.#lastMomentMs = elapsedMs;
    this.#momentsInMs++;
    assert.ok(this.#momentsInMs < MOMENTS_PER_MS, 'too many events in one millisecond');
    return elapsedMs * MOMENTS_PER_MS + this.#momentsInMs;
  }

  /** The oldest state of the database that a list may show. */
  floorOf({ startedAt, startedMs }: SimulatedResponse): number {
    const { maxLagMs } = this.options;
    return maxLagMs === 0 ? startedAt : (startedMs - maxLagMs + 1) * MOMENTS_PER_MS - 1;
  }

  /** Sets the wall clock; only dates may depend on it. */
  jump(byMs: number): void {
    this.wallClock.jump(byMs);
    this.log(`the clock jumps by ${byMs / 1000} s`);
  }

  /** No call reaches the database for a time. */
  stallDatabase(milliseconds: number): void {
    this.conditions.stalledUntilMs = this.time.elapsedMs + milliseconds;
    this.log(`the database stalls for ${milliseconds} ms`);
  }

  /** For a time, the database answers reads and no writes. */
  stallWrites(milliseconds: number): void {
    this.conditions.writesStalledUntilMs = this.time.elapsedMs + milliseconds;
    this.log(`writes stall for ${milliseconds} ms`);
  }

  log(text: string): void {
    this.history.push(`${String(this.time.elapsedMs).padStart(6)} ms  ${text}`);
  }

  knownOf(account: string): KnownTransactions {
    return this.accounts.find((known) => known.account === account) as KnownTransactions;
  }

  /** Builds an instance; requests reach it after `start`. */
  async build(name: string, secrets: readonly string[]): Promise<Instance> {
    const { conditions, model, totals, time, options } = this;
    const { maxLagMs } = options;
    const monotonicMs = () => time.elapsedMs;
    const storeRandom = this.#seed.fork();
    const appRandom = this.random.fork();
    return buildInstance({
      ...options,
      name,
      secrets,
      clock: { now: () => this.wallClock.now(), monotonicMs },
      randomBytes: (length) => appRandom.bytes(length),
      openStore: (isAlive) =>
        unreliableStore({
          model,
          totals,
          random: storeRandom,
          conditions,
          monotonicMs,
          delay: time.delay,
          maxLagMs,
          isAlive,
          log: (text) => this.log(`${name}${text}`),
        }),
    });
  }

  /** Sends requests to an instance from now on, in place of another. */
  start(instance: Instance, replaced?: Instance): void {
    this.instances = [...this.instances.filter((one) => one !== replaced), instance];
    watchRevocations(instance);
  }

  /** Sends a request and checks the response; undefined if the instance is killed before it responds. */
  async send(request: SimulatedRequest): Promise<SimulatedResponse | undefined> {
    const { to, method, url, key, body, text, headers = {} } = request;
    const instance = request.instance ?? this.random.pick(this.instances);
    const label = `#${++this.#requests} ${instance.name}`;
    const sentKey = typeof key === 'string' || key === null ? key : key.key;
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    this.log(
      `${label} ${method} ${shortened(url)} key=${typeof key === 'string' ? '?' : key?.name} ${payload ?? ''}`,
    );
    this.#countSent(instance, key);

    const startedMs = this.time.elapsedMs;
    const startedAt = this.moment();
    const injected = instance[to].server.inject({
      method,
      url,
      headers: {
        'request-id': `r${this.#requests}`,
        ...(sentKey !== null && { authorization: `Bearer ${sentKey}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const answered = await Promise.race([injected, instance.killed]);
    if (answered === undefined) {
      this.log(`${label} connection lost`);
      return undefined;
    }
    const endedMs = this.time.elapsedMs;
    const authenticatedMs =
      request.waitMs === undefined ? startedMs : Math.max(startedMs, endedMs - LONGEST_MS);
    const isJson = /\bjson\b/.test(String(answered.headers['content-type']).replace('ndjson', ''));
    const response: SimulatedResponse = {
      status: answered.statusCode,
      headers: answered.headers,
      body: isJson ? answered.json() : undefined,
      text: answered.body,
      instance,
      startedMs,
      endedMs,
      startedAt,
      endedAt: this.moment(),
      authenticatedMs,
      wall: this.wallClock.between(authenticatedMs, endedMs),
    };
    this.responses++;
    this.log(`${label} -> ${response.status} ${summary(response)}`);
    checkResponse(request, response, this.options.rateLimit);
    return response;
  }

  #countSent({ sent }: Instance, key: SimulatedRequest['key']): void {
    if (typeof key !== 'object' || key === null) return;
    const before = sent.get(key.id) ?? { count: 0, sinceMs: this.time.elapsedMs };
    sent.set(key.id, { ...before, count: before.count + 1 });
  }

  /** Transactions that are in the database from the start. */
  #initialTransactions(account: string): KnownTransactions {
    const known = new KnownTransactions(account);
    const initial = Array.from({ length: this.random.integer(0, 40) }, (_, index) => ({
      ...randomTransaction(this.random, `${account}.initial-${index}`),
      account,
    }));
    this.model.recordTransactions(initial);
    for (const one of initial) known.noteRecorded(known.noteSent(one, BEFORE), one.status, BEFORE);
    return known;
  }

  /** A key that is in the database from the start. */
  #initialKey(account: string): KnownKey {
    const { key, stored } = makeApiKey(
      { account, label: null, expiresAtMs: null },
      this.wallClock.now(),
      (length) => this.random.bytes(length),
    );
    this.model.createApiKey(stored);
    return knownKey(`${account}'s`, { id: stored.id, key, account, expiresAtMs: null });
  }
}

function shortened(url: string): string {
  return url.replace(/cursor=([\w-]{8})[\w-]+/, 'cursor=$1...');
}

function summary({ body, text }: SimulatedResponse): string {
  if (body === undefined) return text.trim().replaceAll('\n', ' ');
  if (body.code !== undefined) return body.code;
  if (body.headSequence !== undefined)
    return `${body.data.length} changes up to ${body.lastSequence} of ${body.headSequence}`;
  if (body.asOf !== undefined) return `${body.data.length} totals as of ${body.asOf}`;
  if (body.nextCursor === undefined) return `${body.reference ?? body.id ?? ''} ${body.status ?? ''}`;
  const items = body.data.map((one: { reference: string; status?: string; id: string }) =>
    one.status === undefined ? one.id : `${one.reference}:${one.status[0]}`,
  );
  return `[${items.join(' ')}] hasMore=${body.hasMore}`;
}
