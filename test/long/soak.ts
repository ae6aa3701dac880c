import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import packageJson from '#package' with { type: 'json' };
import { residentMb } from '../../bench/rig/process-use.ts';
import { bodyOf } from '../model/transactions.ts';
import { KnownTransactions, type PageBody, Walk } from '../rig/data/known-transactions.ts';
import { Random } from '../rig/run/random.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import { createOperatorKey, startServe } from '../rig/service/process.ts';
import { randomTransaction } from '../simulation/random-transactions.ts';
import { randomFilter } from '../simulation/walker.ts';

/** The Node options of `npm start`. */
const NODE_OPTIONS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Walks and recordings that start per second, however long earlier ones take. */
const WALKS_PER_SECOND = 40;
const RECORDINGS_PER_SECOND = 10;
const MAX_AT_ONCE = 200;
/** A fixed pool, so that the number of descriptors depends on the service alone. */
const MAX_SOCKETS = 16;
/** After this time, the key of an account is revoked and a new account is used. */
const ACCOUNT_LIFETIME_MS = 30_000;
const SAMPLE_MS = 5000;
/** The share of the samples to ignore: a process grows at its start. */
const WARM_UP = 0.2;

export interface SoakResult {
  requests: number;
  failures: string[];
  rssMbPerHour: number;
  rssMb: { first: number; last: number };
  descriptors: { first: number; last: number };
  p99Ms: { first: number; last: number };
}

interface Sample {
  atMs: number;
  rssMb: number;
  descriptors: number;
  p99Ms: number;
}

/** Sends requests to a process at a steady rate, checks every response, and measures the process. */
export async function soak(
  minutes: number,
  seed: number,
  onProgress: (line: string) => void,
): Promise<SoakResult> {
  const folder = temporaryFolder();
  const options = { cwd: folder.path };
  const operatorKey = await createOperatorKey(options);
  const served = await startServe({
    ...options,
    nodeOptions: NODE_OPTIONS,
    env: { OPERATOR_PORT: '0', RATE_LIMIT: 'off' },
  });
  const service = new SoakClients(served.url, operatorUrl(served.logged()), operatorKey, new Random(seed));
  const samples: Sample[] = [];
  try {
    await service.begin();
    const endsAtMs = performance.now() + minutes * 60_000;
    const pid = served.child.pid as number;
    while (performance.now() < endsAtMs) {
      await service.load(Math.min(SAMPLE_MS, endsAtMs - performance.now()));
      samples.push({
        atMs: performance.now(),
        rssMb: residentMb(pid),
        descriptors: readdirSync(`/proc/${pid}/fd`).length,
        p99Ms: service.takeP99Ms(),
      });
      const { rssMb, descriptors, p99Ms } = samples.at(-1) as Sample;
      onProgress(
        `${service.requests} requests, ${rssMb.toFixed(0)} MB, ${descriptors} descriptors, p99 ${p99Ms.toFixed(1)} ms, ${service.failures.length} failures`,
      );
    }
  } finally {
    await service.end();
    await served.stop();
    folder.remove();
  }
  return { requests: service.requests, failures: service.failures, ...figures(samples) };
}

function operatorUrl(logged: string): string {
  const line = logged.split('\n').find((one) => one.includes("listening for the operator's interface"));
  return JSON.parse(line ?? '').url;
}

function figures(samples: readonly Sample[]): Omit<SoakResult, 'requests' | 'failures'> {
  const warm = samples.slice(Math.floor(samples.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const ends = (of: (sample: Sample) => number) => ({
    first: median(warm.slice(0, quarter).map(of)),
    last: median(warm.slice(-quarter).map(of)),
  });
  return {
    rssMbPerHour: slope(warm.map(({ atMs, rssMb }) => [atMs / 3_600_000, rssMb])),
    rssMb: ends(({ rssMb }) => rssMb),
    descriptors: ends(({ descriptors }) => descriptors),
    p99Ms: ends(({ p99Ms }) => p99Ms),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The slope of the regression line. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

interface SoakResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are read
  body: any;
}

interface SoakAccount {
  known: KnownTransactions;
  key: string;
  keyId: string;
  sinceMs: number;
}

/** The clients of the process: they walk and record for one account after the other. */
class SoakClients {
  requests = 0;
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #operatorUrl: string;
  readonly #operatorKey: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #random: Random;
  readonly #inFlight = new Set<Promise<void>>();
  #latenciesMs: number[] = [];
  #moments = 0;
  #accounts = 0;
  #account: SoakAccount | undefined;

  constructor(url: string, operator: string, operatorKey: string, random: Random) {
    this.#url = url;
    this.#operatorUrl = operator;
    this.#operatorKey = operatorKey;
    this.#random = random;
  }

  async begin(): Promise<void> {
    this.#account = await this.#newAccount();
  }

  /** Starts requests at the steady rate for a time. */
  async load(milliseconds: number): Promise<void> {
    const beganMs = performance.now();
    let begun = 0;
    for (let atMs = 0; atMs < milliseconds; atMs = performance.now() - beganMs) {
      const due = Math.floor((atMs / 1000) * (WALKS_PER_SECOND + RECORDINGS_PER_SECOND));
      for (; begun < due; begun++) {
        const isWalk = begun % (WALKS_PER_SECOND + RECORDINGS_PER_SECOND) < WALKS_PER_SECOND;
        this.#begin((tenant) => (isWalk ? this.#walk(tenant) : this.#record(tenant)));
      }
      const tenant = this.#account as SoakAccount;
      if (performance.now() - tenant.sinceMs > ACCOUNT_LIFETIME_MS) {
        this.#account = await this.#newAccount();
        this.#begin(() => this.#leave(tenant));
      }
      await delay(10);
    }
  }

  takeP99Ms(): number {
    const sorted = this.#latenciesMs.sort((one, other) => one - other);
    this.#latenciesMs = [];
    return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  }

  async end(): Promise<void> {
    await Promise.all(this.#inFlight);
    this.#agent.destroy();
  }

  #begin(work: (tenant: SoakAccount) => Promise<void>): void {
    if (this.#inFlight.size >= MAX_AT_ONCE) {
      this.failures.push(`more than ${MAX_AT_ONCE} requests were in flight`);
      return;
    }
    const done = work(this.#account as SoakAccount)
      .catch((error: Error) => void this.failures.push(error.message))
      .finally(() => this.#inFlight.delete(done));
    this.#inFlight.add(done);
  }

  async #newAccount(): Promise<SoakAccount> {
    const account = `soak-${++this.#accounts}`;
    const { status, body } = await this.#send(
      'POST',
      `${this.#operatorUrl}/v1/accounts/${account}/keys`,
      this.#operatorKey,
      {},
    );
    assert.equal(status, 201);
    return {
      known: new KnownTransactions(account),
      key: body.key,
      keyId: body.id,
      sinceMs: performance.now(),
    };
  }

  /** Walks once more and revokes the key, which must be refused a second later. */
  async #leave(tenant: SoakAccount): Promise<void> {
    const { account } = tenant.known;
    await delay(2000);
    await this.#walk(tenant);
    const url = `${this.#operatorUrl}/v1/accounts/${account}/keys/${tenant.keyId}`;
    assert.equal((await this.#send('DELETE', url, this.#operatorKey)).status, 204);
    await delay(1000);
    const { status } = await this.#send('GET', `${this.#url}/v1/transactions`, tenant.key);
    assert.equal(status, 401, 'a revoked key was accepted');
  }

  async #walk({ known, key }: SoakAccount): Promise<void> {
    const filter = randomFilter(this.#random);
    const walk = new Walk(filter);
    const given = Object.entries(filter).filter((entry): entry is [string, string] => entry[1] !== null);
    const query = new URLSearchParams(given).toString();
    let next: string | null = '';
    while (next !== null) {
      const startedAt = ++this.#moments;
      const url = `${this.#url}/v1/transactions?${query}${next && `&cursor=${next}`}`;
      const { status, body } = await this.#send('GET', url, key);
      assert.equal(status, 200, `a list got ${status}`);
      known.checkPage(walk, body as PageBody, startedAt, { startedAt, endedAt: ++this.#moments });
      next = body.nextCursor;
      // Like most callers, reads only the start of a long list.
      if (walk.seen.size >= 30) return;
    }
  }

  async #record({ known }: SoakAccount): Promise<void> {
    const { account, rows } = known;
    const transaction = randomTransaction(this.#random, `${account}.${rows.length}`);
    const row = known.noteSent({ ...transaction, account }, ++this.#moments);
    const url = `${this.#operatorUrl}/v1/accounts/${account}/transactions/${transaction.reference}`;
    const { status } = await this.#send('PUT', url, this.#operatorKey, bodyOf(transaction));
    assert.equal(status, 201, `a recording got ${status}`);
    known.noteRecorded(row, transaction.status, ++this.#moments);
  }

  async #send(method: string, url: string, key: string, body?: unknown): Promise<SoakResponse> {
    const beganMs = performance.now();
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const sent = request(url, { method, headers, agent: this.#agent, signal: AbortSignal.timeout(10_000) });
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.on('response', answered.resolve).on('error', answered.reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await answered.promise;
    const json = await text(response);
    this.requests++;
    this.#latenciesMs.push(performance.now() - beganMs);
    return { status: response.statusCode ?? 0, body: json === '' ? undefined : JSON.parse(json) };
  }
}
