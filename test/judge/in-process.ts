import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { ArchiveEnd, Driver, Instance, Operator, Receive } from '../../proof/judge/driver.ts';
import type { Chance } from '../../proof/judge/history.ts';
import type { Answer, Sent } from '../../proof/judge/http.ts';
import { makeApiKey } from '../../src/keys/api-key.ts';
import { KEY_ENDS_INTERVAL_MS } from '../../src/keys/key-cache.ts';
import { reportRecordings } from '../../src/ledger/record/request-recorder.ts';
import { type App, buildApp } from '../../src/service/app.ts';
import { type BackgroundSeals, backgroundSeals } from '../../src/service/background-seals.ts';
import type { Clock } from '../../src/service/context.ts';
import { createMetrics } from '../../src/service/metrics.ts';
import { buildOperatorApp } from '../../src/service/operator-app.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';
import { WebhookDeliveries } from '../../src/webhooks/delivery/webhook-deliveries.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import type { Scope } from '../../values/scopes.ts';
import { declareStatuses } from '../../values/status.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { run } from '../rig/service/process.ts';
import { testConfig } from '../rig/service/test-config.ts';
import { archive, type Steps } from '../rig/store/archive.ts';
import { someEntry, someStamp } from '../rig/store/audit.ts';
import { copyBetween } from '../rig/store/copy.ts';
import { erase } from '../rig/store/erase.ts';
import { verifyDatabase } from '../verify/healthy-database.ts';
import { BAD, type Caller, type Conditions, faultyStore, GOOD, type SimulatedLease } from './faulty-store.ts';
import { SimulatedTime, STEP_MS } from './simulated-time.ts';

const INBOX = 'https://judge.example';
const START_MS = Date.UTC(2026, 5, 15, 12);
const STATUSES = 'failed:unpaid';
const REQUEST_TIMEOUT_MS = 10_000;
const SECRETS = ['a secret of the simulation, long enough to be one'];
const LONGEST_MS = 1_800_000;

const metrics = createMetrics();
const logger = pino({ enabled: false });
const declared = declareStatuses(STATUSES);
if ('faults' in declared) throw new Error(declared.faults.join());
const config = { ...testConfig, ...declared, requestTimeoutMs: REQUEST_TIMEOUT_MS };

interface Slot extends Caller {
  instance: Instance;
  public: App;
  operator: App;
  killed: PromiseWithResolvers<undefined>;
  seals: BackgroundSeals;
  deliveries: WebhookDeliveries;
}

class Interrupted extends Error {}

export class InProcess implements Operator {
  readonly setsClocks = true;
  readonly time = new SimulatedTime();
  readonly #chance: Chance;
  readonly #folder = temporaryFolder();
  readonly #conditions: Conditions;
  readonly #slots: (Slot | undefined)[];
  #store: Store | undefined;
  #current: 0 | 1 = 0;
  #backedUp: 0 | 1 = 0;
  #leases: readonly [SimulatedLease, SimulatedLease] = [noLease(), noLease()];
  #backedUpLeases = this.#leases;
  #receive: Receive = async () => 200;
  #started = 0;

  constructor(chance: Chance, instances = 2) {
    this.#chance = chance;
    this.#conditions = { ...(chance.is(50) ? BAD : GOOD) };
    this.#slots = Array.from({ length: instances });
  }

  async start(): Promise<Driver> {
    await this.#open();
    const { key } = await this.makeOperatorKey('record,keys,read,sessions');
    return {
      name: `SQLite in this process, ${this.#slots.length} instances`,
      operatorKey: key,
      running: () => this.#slots.flatMap((slot) => (slot === undefined ? [] : [slot.instance])),
      send: (url, sent) => this.#send(url, sent),
      // A request can wait behind several lost recordings, each of which ends only at its time limit.
      patienceMs: 300_000,
      nowMs: () => this.time.elapsedMs,
      wallMs: () => START_MS + this.time.elapsedMs,
      delay: (ms) => this.time.delay(Math.max(ms, 1)),
      pause: () => this.time.delay((1 + this.#chance.below(3)) * STEP_MS),
      operator: this,
      openInbox: async (receive) => {
        this.#receive = receive;
        return INBOX;
      },
      endFaults: () => void Object.assign(this.#conditions, GOOD),
      close: () => this.#close(),
    };
  }

  pass<Done>(work: Promise<Done>): Promise<Done> {
    return this.time.passUntil(work, LONGEST_MS);
  }

  get instances(): number {
    return this.#slots.length;
  }

  readonly #randomBytes = (length: number) =>
    Buffer.from(Array.from({ length }, () => this.#chance.below(256)));

  #path(number: number = this.#current): string {
    return `${this.#folder.path}/${number === 0 ? 'first' : 'second'}.db`;
  }

  #url(number = this.#current): string {
    return `sqlite:${this.#path(number)}`;
  }

  get #lease(): SimulatedLease {
    return this.#leases[this.#current];
  }

  get #open_(): Store {
    if (this.#store === undefined) throw new Error('the database is not open');
    return this.#store;
  }

  async #open(whileDown: () => void | Promise<void> = () => {}): Promise<void> {
    for (const index of this.#slots.keys()) this.#kill(index);
    const now = () => START_MS + this.time.elapsedMs;
    await this.time.frozen(async () => {
      await this.#store?.close();
      await whileDown();
      this.#store = (await openStore(this.#url(), now, { writesRarely: true })).store;
    });
    for (const index of this.#slots.keys()) await this.#startInstance(index);
  }

  async #startInstance(index: number, aheadMs = 0): Promise<void> {
    const instance: Instance = { url: `public:${index}`, operatorUrl: `operator:${index}`, aheadMs };
    const caller: Caller = { isAlive: true, isStarting: true, suspendedUntilMs: 0 };
    const { time } = this;
    const store = faultyStore(this.#open_, {
      time,
      caller,
      chance: this.#chance,
      conditions: this.#conditions,
      lease: this.#lease,
    });
    const monotonicMs = () => time.elapsedMs;
    const sleep = (ms: number) => time.delay(Math.max(ms, 1));
    const seals = backgroundSeals({ store, logger, metrics, monotonicMs, sleep });
    const dependencies = {
      config,
      clock: { now: () => START_MS + time.elapsedMs + instance.aheadMs, monotonicMs },
      randomBytes: this.#randomBytes,
      logger,
      metrics,
      cursorSecrets: SECRETS,
    };
    const publicApp = await buildApp({ ...dependencies, store });
    const deliveries = this.#deliveries(store, caller, dependencies.clock);
    const reported = reportRecordings(store, [publicApp.changeWatcher, seals, deliveries]);
    const operator = await buildOperatorApp({ ...dependencies, store: reported });
    const killed = Promise.withResolvers<undefined>();
    const own = { instance, public: publicApp, operator, killed, seals, deliveries };
    const slot: Slot = Object.assign(caller, own);
    slot.isStarting = false;
    this.#slots[index] = slot;
    seals.start();
    deliveries.start();
    for (const { keyCache } of [publicApp, operator]) {
      const refresh = () => {
        if (slot.isAlive) keyCache.refresh().catch(() => {});
      };
      refresh();
      setInterval(refresh, KEY_ENDS_INTERVAL_MS);
    }
  }

  #deliveries(store: Store, caller: Caller, clock: Clock): WebhookDeliveries {
    const nothing = () => {};
    const never = () => new Promise<never>(() => {});
    return new WebhookDeliveries({
      ...clock,
      store,
      instance: `I${++this.#started}`,
      rules: 'public',
      stamp: () => someStamp(clock.now()),
      random: () => this.#chance.below(1000) / 1000,
      turns: { next: async () => {}, isBusy: false },
      send: async ({ url, headers, body, timeoutMs, signal }) => {
        const path = url.slice(INBOX.length);
        const given = this.#receive({ path, headers, body });
        const late = this.time.delay(timeoutMs).then(() => undefined);
        const aborted = new Promise<undefined>((resolve) =>
          signal?.addEventListener('abort', () => resolve(undefined), { once: true }),
        );
        const status = await Promise.race([given, late, aborted]);
        if (!caller.isAlive) return never();
        return status === undefined ? { error: 'the connection was closed' } : { status, retryAfterMs: null };
      },
      hooks: {
        onAttempt: nothing,
        onFailure: nothing,
        onPaused: nothing,
        onDisabled: nothing,
        onMovedBack: nothing,
        onMissing: nothing,
        onOtherRules: nothing,
        onError: nothing,
      },
    });
  }

  async #send(url: string, { method = 'GET', key, body, headers = {}, cutAfter }: Sent): Promise<Answer> {
    const request = `${method} ${url}`;
    const none = { request, status: 0, headers: new Headers(), text: '', isWhole: false };
    const [, side, index = '', path = ''] = /^(public|operator):(\d+)(.*)$/.exec(url) ?? [];
    const slot = this.#slots[Number(index)];
    if (slot === undefined) return none;
    const { time } = this;
    if (slot.suspendedUntilMs > time.elapsedMs) await time.delay(slot.suspendedUntilMs - time.elapsedMs);
    const { server } = side === 'public' ? slot.public : slot.operator;
    const injected = server.inject({
      method: method as 'GET',
      url: path,
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
      ...(body !== undefined && { payload: body }),
    });
    const answered = await Promise.race([injected.catch(() => undefined), slot.killed.promise]);
    if (answered === undefined) return none;
    const given = Object.entries(answered.headers).map(([name, value]) => [name, String(value)]);
    const isWhole = cutAfter === undefined || answered.body.length < cutAfter;
    const { statusCode: status, body: text } = answered;
    return { request, status, headers: new Headers(Object.fromEntries(given)), text, isWhole };
  }

  #kill(index: number): void {
    const slot = this.#slots[index];
    if (slot === undefined) return;
    this.#slots[index] = undefined;
    slot.isAlive = false;
    slot.killed.resolve(undefined);
    void slot.seals.stop();
    void slot.deliveries.stop(0);
  }

  async restartInstance(index: number): Promise<void> {
    this.#kill(index);
    await this.time.delay(this.#chance.below(10) * STEP_MS);
    await this.#startInstance(index);
  }

  async suspendInstance(index: number, ms: number): Promise<void> {
    const slot = this.#slots[index];
    if (slot !== undefined) slot.suspendedUntilMs = this.time.elapsedMs + ms;
    await this.time.delay(ms);
  }

  async restartDatabase(): Promise<void> {
    const untilMs = this.time.elapsedMs + (1 + this.#chance.below(60)) * STEP_MS;
    const change = this.#chance.pick<Partial<Conditions>>([
      { stalledUntilMs: untilMs },
      { writesStalledUntilMs: untilMs },
      BAD,
      GOOD,
    ]);
    Object.assign(this.#conditions, change);
    await this.time.delay(STEP_MS);
  }

  async setClock(index: number, aheadMs: number): Promise<void> {
    const slot = this.#slots[index];
    if (slot !== undefined) slot.instance.aheadMs = aheadMs;
  }

  async backUp(): Promise<void> {
    this.#backedUp = this.#current;
    this.#backedUpLeases = structuredClone(this.#leases);
    await this.#open(() => {
      for (const number of [0, 1]) copyClosedDatabase(this.#path(number), `${this.#path(number)}.backup`);
    });
  }

  async restore(whileDown: () => void): Promise<void> {
    await this.#open(() => {
      for (const number of [0, 1]) copyClosedDatabase(`${this.#path(number)}.backup`, this.#path(number));
      this.#current = this.#backedUp;
      this.#leases = structuredClone(this.#backedUpLeases);
      whileDown();
    });
  }

  #steps(isKilled: boolean): Required<Steps> {
    let left = isKilled ? 1 + this.#chance.below(3) : Number.POSITIVE_INFINITY;
    return {
      before: async () => {
        if (--left <= 0) throw new Interrupted('interrupted');
        if (this.#chance.is(50)) await this.time.thawed((1 + this.#chance.below(5)) * STEP_MS);
      },
      monotonicMs: () => this.time.elapsedMs,
      sleep: (ms) => this.time.thawed(Math.max(ms, 1)),
    };
  }

  async archive(account: string, name: string, before: string, isKilled: boolean): Promise<ArchiveEnd> {
    const folder = join(this.#folder.path, name);
    mkdirSync(folder, { recursive: true });
    const options = { url: this.#url(), store: this.#open_, folder, beforeMs: Date.parse(before) };
    return this.time.frozen(async () => {
      try {
        const [result] = await archive([account], { ...options, ...this.#steps(isKilled) });
        if (result?.outcome === 'outstanding') return { end: 'outstanding' };
      } catch (error) {
        if (error instanceof Interrupted) return { end: 'interrupted' };
        return { end: 'failed', text: String(error) };
      }
      const names = readdirSync(folder).filter((file) => file.endsWith('.csv'));
      return {
        end: 'archived',
        files: new Map(names.map((file) => [file, readFileSync(join(folder, file), 'utf8')])),
      };
    });
  }

  erase(account: string): Promise<string | undefined> {
    const options = { store: this.#open_, now: () => START_MS + this.time.elapsedMs, ...this.#steps(false) };
    return this.time.frozen(() => erase(this.#url(), account, options).then(() => undefined, String));
  }

  async copy(_isKilled: boolean): Promise<string | undefined> {
    const target = this.#current === 0 ? 1 : 0;
    let failure: string | undefined;
    await this.#open(async () => {
      failure = await copyBetween(this.#url(), this.#url(target), { isMove: true }).then(
        ({ end }) => (end === 'equal' ? undefined : end),
        String,
      );
      if (failure === undefined) this.#current = target;
    });
    return failure;
  }

  importLines(ndjson: string): Promise<boolean> {
    const args = ['import', '-', '--format', 'ndjson'];
    return this.time.frozen(async () => {
      const env = { DATABASE_URL: this.#url(), STATUSES };
      return (await run(args, { cwd: this.#folder.path, env, stdin: ndjson })).status === 0;
    });
  }

  async makeOperatorKey(scopes: string): Promise<{ id: string; key: string }> {
    const wanted = { account: OPERATOR_ACCOUNT, label: null, expiresAtMs: null };
    const { key, stored } = makeApiKey(wanted, START_MS + this.time.elapsedMs, this.#randomBytes);
    const scoped = { ...stored, scopes: scopes.split(',') as Scope[] };
    await this.time.frozen(() => this.#open_.createApiKey(scoped, someEntry()));
    return { id: stored.id, key };
  }

  async revokeKey(id: string): Promise<void> {
    await this.time.frozen(() => this.#open_.revokeApiKey(id, START_MS + this.time.elapsedMs, someEntry()));
  }

  verify(): Promise<string | undefined> {
    return this.time.frozen(async () => {
      const { disagreements } = await verifyDatabase(this.#url());
      return disagreements.length === 0 ? undefined : JSON.stringify(disagreements);
    });
  }

  async #close(): Promise<void> {
    for (const index of this.#slots.keys()) this.#kill(index);
    await this.#store?.close();
    await this.time.end();
    this.#folder.remove();
  }
}

const noLease = (): SimulatedLease => ({ holder: undefined, untilMs: 0 });

function copyClosedDatabase(from: string, to: string): void {
  removeFile(to);
  if (existsSync(from)) copyFileSync(from, to);
}

function removeFile(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}
