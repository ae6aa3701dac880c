import assert from 'node:assert/strict';
import { type Logger, pino } from 'pino';
import { type App, type AppDependencies, buildApp } from '../../src/app.ts';
import { makeApiKey, OPERATOR_ACCOUNT } from '../../src/core/access/api-key.ts';
import type { RateLimit } from '../../src/core/access/rate-limit.ts';
import { BUILT_IN_STATUSES } from '../../src/core/status.ts';
import type { Store } from '../../src/core/store.ts';
import { createMetrics } from '../../src/http/telemetry/metrics.ts';
import { buildOperatorApp } from '../../src/operator-app.ts';
import { type Interval, KnownTransactions } from '../rig/known-transactions.ts';
import type { Random } from '../rig/random.ts';
import { responseChecker } from '../rig/response-checker.ts';
import { newFact } from './facts.ts';
import { ModelStore } from './model-store.ts';
import { SimulatedTime, STEP_MS } from './simulated-time.ts';
import { FAIR, unreliableStore, type Weather } from './unreliable-store.ts';

export const REQUEST_TIMEOUT_MS = 2000;
const REVOCATIONS_INTERVAL_MS = 500;
/** A revoked key is refused from so long after its revocation on. */
const REVOKED_WITHIN_MS = 1000;
const MOMENTS_PER_MS = 1000;
/** A moment before everything that is simulated, also as replicas know it. */
const BEFORE = -1e9;

const metrics = createMetrics();
const silent: Logger = pino({ enabled: false });
const checkers = {
  public: responseChecker(new URL('../../openapi.json', import.meta.url)),
  operator: responseChecker(new URL('../../openapi-operator.json', import.meta.url)),
};

/** What a client knows of a key. */
export interface KnownKey {
  name: string;
  id: string;
  key: string;
  account: string;
  expiresAtMs: number | null;
  /** When its revocation was asked for first. */
  revokeSentMs: number;
  /** From when on it is known to be revoked. */
  revokedMs: number;
}

/** One process of the service, from its start until it is stopped or killed. */
export interface Instance {
  name: string;
  secrets: readonly string[];
  public: App;
  operator: App;
  isAlive: boolean;
  /** Resolves once it was killed. */
  killed: Promise<undefined>;
  kill(): void;
  /** How many requests each key sent to it, and how many were let through its limit. */
  sent: Map<string, { count: number; sinceMs: number }>;
  admitted: Map<string, number>;
}

export interface WorldOptions {
  random: Random;
  /** Breaks the store in a way of its own, to prove that it is noticed. */
  tamper?: (store: Store) => Store;
  cursorLifetimeSeconds: number;
  rateLimit: RateLimit | null;
  maxLagMs: number;
}

export interface Question {
  to: 'public' | 'operator';
  instance?: Instance;
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  url: string;
  key: KnownKey | string | null;
  body?: unknown;
  /** A body as it stands. */
  text?: string;
  headers?: Record<string, string>;
  /** How many deadlines the answer may take. */
  deadlines?: number;
}

export interface Answer extends Interval {
  status: number;
  headers: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into
  body: any;
  text: string;
  instance: Instance;
  startedMs: number;
  endedMs: number;
  /** What the wall clock showed at its least and at its most while the request ran. */
  wall: { minMs: number; maxMs: number };
}

/** The service with its clients, its clocks and its database, none of them real, all of them decided by a seed. */
export class World {
  readonly time = new SimulatedTime();
  readonly random: Random;
  readonly options: WorldOptions;
  readonly weather: Weather = { ...FAIR, stalledUntilMs: 0, writersStalledUntilMs: 0 };
  readonly model: ModelStore;
  readonly history: string[] = [];
  readonly accounts: KnownTransactions[] = [];
  readonly keys: KnownKey[] = [];
  readonly operatorKey: KnownKey;
  instances: Instance[] = [];
  answers = 0;
  #requests = 0;
  #seed: Random;
  #lastMomentMs = -1;
  #momentsInMs = 0;
  #wall: { sinceMs: number; offsetMs: number }[] = [{ sinceMs: 0, offsetMs: Date.UTC(2026, 5, 15, 12) }];

  constructor(options: WorldOptions) {
    this.options = options;
    this.random = options.random;
    this.#seed = options.random.fork();
    this.model = new ModelStore(() => (this.instances.length === 0 ? BEFORE : this.time.elapsedMs));
    for (const account of ['shop-1', 'shop-2']) {
      this.accounts.push(this.#keptTransactions(account));
      this.keys.push(this.#keptKey(account));
    }
    this.operatorKey = this.#keptKey(OPERATOR_ACCOUNT);
  }

  /** A point in the order of everything that happens. */
  moment(): number {
    const { elapsedMs } = this.time;
    if (elapsedMs !== this.#lastMomentMs) this.#momentsInMs = 0;
    this.#lastMomentMs = elapsedMs;
    this.#momentsInMs++;
    assert.ok(this.#momentsInMs < MOMENTS_PER_MS, 'too much happens at once');
    return elapsedMs * MOMENTS_PER_MS + this.#momentsInMs;
  }

  /** How new a list must at least be that was asked for at a moment. */
  floorOf({ startedAt, startedMs }: Answer): number {
    const { maxLagMs } = this.options;
    return maxLagMs === 0 ? startedAt : (startedMs - maxLagMs + 1) * MOMENTS_PER_MS - 1;
  }

  wallNow(): number {
    return this.time.elapsedMs + (this.#wall.at(-1)?.offsetMs as number);
  }

  /** Sets the wall clock, which nothing but dates may depend on. */
  jump(byMs: number): void {
    const offsetMs = (this.#wall.at(-1)?.offsetMs as number) + byMs;
    this.#wall.push({ sinceMs: this.time.elapsedMs, offsetMs });
    this.tell(`the clock jumps by ${byMs / 1000} s`);
  }

  /** Nothing comes through to the database for a time. */
  stall(milliseconds: number): void {
    this.weather.stalledUntilMs = this.time.elapsedMs + milliseconds;
    this.tell(`the database stalls for ${milliseconds} ms`);
  }

  /** The database reads for a time, and does not write. */
  stallWriters(milliseconds: number): void {
    this.weather.writersStalledUntilMs = this.time.elapsedMs + milliseconds;
    this.tell(`writes stall for ${milliseconds} ms`);
  }

  tell(text: string): void {
    this.history.push(`${String(this.time.elapsedMs).padStart(6)} ms  ${text}`);
  }

  factsOf(account: string): KnownTransactions {
    return this.accounts.find((facts) => facts.account === account) as KnownTransactions;
  }

  /** Builds a process of the service; it takes requests from when it stands in `instances` on. */
  async build(name: string, secrets: readonly string[]): Promise<Instance> {
    const { random, weather, model, time, options } = this;
    const { tamper = (store) => store, maxLagMs } = options;
    const clock = { now: () => this.wallNow(), monotonicMs: () => time.elapsedMs };
    let instance: Instance | undefined;
    const store = tamper(
      unreliableStore({
        model,
        random: this.#seed.fork(),
        weather,
        monotonicMs: clock.monotonicMs,
        delay: time.delay,
        maxLagMs,
        isAlive: () => instance?.isAlive ?? true,
        tell: (text) => this.tell(`${name}${text}`),
      }),
    );
    const appRandom = random.fork();
    const dependencies: Omit<AppDependencies, 'cursorSecrets'> = {
      config: {
        statuses: BUILT_IN_STATUSES,
        cursorLifetimeSeconds: options.cursorLifetimeSeconds,
        requestTimeoutMs: REQUEST_TIMEOUT_MS,
        rateLimit: options.rateLimit,
        failedAuthenticationRateLimit: null,
        connectionsPerAddress: null,
        trustedProxies: [],
      },
      store,
      clock,
      randomBytes: (length) => appRandom.bytes(length),
      logger: silent,
      metrics,
    };
    const killed = Promise.withResolvers<undefined>();
    instance = {
      name,
      secrets,
      public: await buildApp({ ...dependencies, cursorSecrets: secrets }),
      operator: await buildOperatorApp(dependencies),
      isAlive: true,
      killed: killed.promise,
      kill() {
        this.isAlive = false;
        killed.resolve(undefined);
      },
      sent: new Map(),
      admitted: new Map(),
    };
    return instance;
  }

  /** Puts a process to work, in the place of another. */
  start(instance: Instance, replaced?: Instance): void {
    this.instances = [...this.instances.filter((one) => one !== replaced), instance];
    for (const { keyCache } of [instance.public, instance.operator]) {
      const refresh = () => {
        if (instance.isAlive) keyCache.refresh().catch(() => {});
      };
      refresh();
      setInterval(refresh, REVOCATIONS_INTERVAL_MS);
    }
  }

  /** Asks, checks what every answer must be, and returns it; undefined where the process was killed meanwhile. */
  async send(question: Question): Promise<Answer | undefined> {
    const { to, method, url, key, body, text, headers = {}, deadlines = 1 } = question;
    const instance = question.instance ?? this.random.pick(this.instances);
    const label = `#${++this.#requests} ${instance.name}`;
    const sent = typeof key === 'string' || key === null ? key : key.key;
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    this.tell(
      `${label} ${method} ${shortened(url)} key=${typeof key === 'string' ? '?' : key?.name} ${payload ?? ''}`,
    );

    if (typeof key === 'object' && key !== null) {
      const sentBefore = instance.sent.get(key.id) ?? { count: 0, sinceMs: this.time.elapsedMs };
      instance.sent.set(key.id, { ...sentBefore, count: sentBefore.count + 1 });
    }

    const startedMs = this.time.elapsedMs;
    const startedAt = this.moment();
    const injected = instance[to].server.inject({
      method,
      url,
      headers: {
        'request-id': `r${this.#requests}`,
        ...(sent !== null && { authorization: `Bearer ${sent}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const response = await Promise.race([injected, instance.killed]);
    if (response === undefined) {
      this.tell(`${label} connection lost`);
      return undefined;
    }
    const { statusCode: status } = response;
    const endedMs = this.time.elapsedMs;
    const isJson = /\bjson\b/.test(String(response.headers['content-type']).replace('ndjson', ''));
    const answer: Answer = {
      status,
      headers: response.headers,
      body: isJson ? response.json() : undefined,
      text: response.body,
      instance,
      startedMs,
      endedMs,
      startedAt,
      endedAt: this.moment(),
      wall: this.#wallBetween(startedMs, endedMs),
    };
    this.answers++;
    this.tell(`${label} -> ${status} ${summary(answer)}`);
    this.#checkResponse(question, answer, deadlines);
    return answer;
  }

  #checkResponse({ to, method, url, key }: Question, answer: Answer, deadlines: number): void {
    const { status, headers, startedMs, endedMs, text } = answer;
    const [path = ''] = url.split('?');
    checkers[to]({ method, path, status, headers: headers as Record<string, string>, body: text });
    assert.notEqual(status, 500, `500: ${text}`);
    const longestMs = deadlines * REQUEST_TIMEOUT_MS * (9 / 8) + STEP_MS;
    assert.ok(endedMs - startedMs <= longestMs, `the answer took ${endedMs - startedMs} ms`);
    if (status === 503) assert.equal(headers['retry-after'], '1');
    if (typeof key === 'object' && key !== null) {
      if (status === 401) this.#checkRefused(key, answer);
      else if (status !== 503) this.#checkTaken(key, answer);
      if (to === 'public') this.#checkRate(key, answer);
    }
  }

  #checkRefused(key: KnownKey, { endedMs, wall }: Answer): void {
    const mayBeRevoked = key.revokeSentMs <= endedMs;
    const mayBeExpired = key.expiresAtMs !== null && wall.maxMs >= key.expiresAtMs;
    assert.ok(mayBeRevoked || mayBeExpired, `${key.name} was refused, and is neither revoked nor expired`);
    if (!mayBeExpired) key.revokedMs = Math.min(key.revokedMs, endedMs);
  }

  #checkTaken(key: KnownKey, { startedMs, wall }: Answer): void {
    assert.ok(startedMs < key.revokedMs + REVOKED_WITHIN_MS, `${key.name} is revoked, and was taken`);
    assert.ok(
      key.expiresAtMs === null || wall.minMs < key.expiresAtMs,
      `${key.name} is expired, and was taken`,
    );
  }

  #checkRate(key: KnownKey, { instance, status, endedMs }: Answer): void {
    const { rateLimit } = this.options;
    const sentBefore = instance.sent.get(key.id) ?? { count: 0, sinceMs: 0 };
    if (status === 429)
      assert.ok(rateLimit !== null && sentBefore.count > rateLimit.burst, `429 for ${key.name}`);
    // What was not answered by the route may have been let through or not.
    if (rateLimit === null || [401, 429, 503].includes(status)) return;
    const admitted = (instance.admitted.get(key.id) ?? 0) + 1;
    instance.admitted.set(key.id, admitted);
    const earned = ((endedMs - sentBefore.sinceMs) / 1000) * rateLimit.perSecond;
    assert.ok(admitted <= rateLimit.burst + earned, `${key.name} got more than its rate`);
  }

  #wallBetween(startedMs: number, endedMs: number): { minMs: number; maxMs: number } {
    const times = this.#wall.flatMap(({ sinceMs, offsetMs }, index) => {
      const first = Math.max(sinceMs, startedMs);
      const last = Math.min(this.#wall[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY, endedMs);
      return first <= last ? [first + offsetMs, last + offsetMs] : [];
    });
    return { minMs: Math.min(...times), maxMs: Math.max(...times) };
  }

  /** Transactions that the database holds from the beginning. */
  #keptTransactions(account: string): KnownTransactions {
    const facts = new KnownTransactions(account);
    const kept = Array.from({ length: this.random.integer(0, 40) }, (_, index) => ({
      ...newFact(this.random, `${account}.kept-${index}`),
      account,
    }));
    this.model.recordTransactions(kept);
    for (const one of kept) facts.know(facts.send(one, BEFORE), one.status, BEFORE);
    return facts;
  }

  /** A key that the database holds from the beginning. */
  #keptKey(account: string): KnownKey {
    const { key, kept } = makeApiKey({ account, label: null, expiresAtMs: null }, this.wallNow(), (length) =>
      this.random.bytes(length),
    );
    this.model.createApiKey(kept);
    return knownKey(`${account}'s`, { id: kept.id, key, account, expiresAtMs: null });
  }
}

export function knownKey(
  name: string,
  key: Pick<KnownKey, 'id' | 'key' | 'account' | 'expiresAtMs'>,
): KnownKey {
  return { name, ...key, revokeSentMs: Number.POSITIVE_INFINITY, revokedMs: Number.POSITIVE_INFINITY };
}

function shortened(url: string): string {
  return url.replace(/cursor=([\w-]{8})[\w-]+/, 'cursor=$1...');
}

function summary({ body, text }: Answer): string {
  if (body === undefined) return text.trim().replaceAll('\n', ' ');
  if (body.code !== undefined) return body.code;
  if (body.nextCursor === undefined) return `${body.reference ?? body.id ?? ''} ${body.status ?? ''}`;
  const references = body.data.map(
    (one: { reference: string; status: string }) => `${one.reference}:${one.status[0]}`,
  );
  return `[${references.join(' ')}] hasMore=${body.hasMore}`;
}
