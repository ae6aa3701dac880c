import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import packageJson from '#package' with { type: 'json' };
import { residentMb } from '../../bench/rig/process-use.ts';
import { KnownTransactions, type PageBody, Walk } from '../rig/known-transactions.ts';
import { run, startServe } from '../rig/process.ts';
import { Random } from '../rig/random.ts';
import { temporaryFolder } from '../rig/temporary-folder.ts';
import { bodyOf, randomTransaction } from '../simulation/random-transactions.ts';
import { randomFilter } from '../simulation/walker.ts';

/** Those that `npm start` starts the service with. */
const NODE_OPTIONS = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** So many walks and recordings begin in a second, however long those before them take. */
const WALKS_PER_SECOND = 40;
const RECORDINGS_PER_SECOND = 10;
const MAX_AT_ONCE = 200;
/** As a client's pool of connections, so that their number tells of the service alone. */
const MAX_SOCKETS = 16;
/** An account and its key are used for so long, and the key is revoked then. */
const ACCOUNT_LIFETIME_MS = 30_000;
const SAMPLE_MS = 5000;
/** What a process takes at its start is not growth. */
const WARM_UP = 0.2;

export interface SoakResult {
  minutes: number;
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

/** Asks a served process at a steady rate, checks every answer, and watches what the process uses. */
export async function soak(minutes: number, onProgress: (line: string) => void): Promise<SoakResult> {
  const folder = temporaryFolder();
  const options = { cwd: folder.path };
  const { stdout } = await run(['keys', 'create', '--operator', '--json'], options);
  const operatorKey: string = JSON.parse(stdout).key;
  const served = await startServe({
    ...options,
    env: { OPERATOR_PORT: '0', RATE_LIMIT: 'off', NODE_OPTIONS: NODE_OPTIONS.join(' ') },
  });
  const service = new Soaked(served.url, operatorUrl(served.logged()), operatorKey);
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
  return { minutes, requests: service.requests, failures: service.failures, ...figures(samples) };
}

function operatorUrl(logged: string): string {
  const line = logged.split('\n').find((one) => one.includes("listening for the operator's interface"));
  return JSON.parse(line ?? '').url;
}

function figures(samples: readonly Sample[]): Omit<SoakResult, 'minutes' | 'requests' | 'failures'> {
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

/** Of the line that lies nearest to all points. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0);
  return covariance / points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
}

interface SoakAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are looked into
  body: any;
}

interface Tenant {
  known: KnownTransactions;
  key: string;
  keyId: string;
  sinceMs: number;
}

/** The clients of a served process: they walk and record for one account after the other. */
class Soaked {
  requests = 0;
  readonly failures: string[] = [];
  readonly #url: string;
  readonly #operatorUrl: string;
  readonly #operatorKey: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  readonly #random = new Random(Date.now());
  readonly #inFlight = new Set<Promise<void>>();
  #latenciesMs: number[] = [];
  #moments = 0;
  #accounts = 0;
  #tenant: Tenant | undefined;

  constructor(url: string, operator: string, operatorKey: string) {
    this.#url = url;
    this.#operatorUrl = operator;
    this.#operatorKey = operatorKey;
  }

  async begin(): Promise<void> {
    this.#tenant = await this.#newTenant();
  }

  /** Sends at the rate for a time. */
  async load(milliseconds: number): Promise<void> {
    const beganMs = performance.now();
    let begun = 0;
    for (let atMs = 0; atMs < milliseconds; atMs = performance.now() - beganMs) {
      const due = Math.floor((atMs / 1000) * (WALKS_PER_SECOND + RECORDINGS_PER_SECOND));
      for (; begun < due; begun++) {
        const isWalk = begun % (WALKS_PER_SECOND + RECORDINGS_PER_SECOND) < WALKS_PER_SECOND;
        this.#begin((tenant) => (isWalk ? this.#walk(tenant) : this.#record(tenant)));
      }
      const tenant = this.#tenant as Tenant;
      if (performance.now() - tenant.sinceMs > ACCOUNT_LIFETIME_MS) {
        this.#tenant = await this.#newTenant();
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

  #begin(work: (tenant: Tenant) => Promise<void>): void {
    if (this.#inFlight.size >= MAX_AT_ONCE) {
      this.failures.push(`more than ${MAX_AT_ONCE} requests were in flight`);
      return;
    }
    const done = work(this.#tenant as Tenant)
      .catch((error: Error) => void this.failures.push(error.message))
      .finally(() => this.#inFlight.delete(done));
    this.#inFlight.add(done);
  }

  async #newTenant(): Promise<Tenant> {
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

  /** Walks once more, to the end, and revokes the key: within a second it opens nothing. */
  async #leave(tenant: Tenant): Promise<void> {
    const { account } = tenant.known;
    await delay(2000);
    await this.#walk(tenant);
    const url = `${this.#operatorUrl}/v1/accounts/${account}/keys/${tenant.keyId}`;
    assert.equal((await this.#send('DELETE', url, this.#operatorKey)).status, 200);
    await delay(1000);
    const { status } = await this.#send('GET', `${this.#url}/v1/transactions`, tenant.key);
    assert.equal(status, 401, 'a revoked key was accepted');
  }

  async #walk({ known, key }: Tenant): Promise<void> {
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
      // Long lists are read in part, as people do.
      if (walk.seen.size >= 30) return;
    }
  }

  async #record({ known }: Tenant): Promise<void> {
    const { account, rows } = known;
    const transaction = randomTransaction(this.#random, `${account}.${rows.length}`);
    const row = known.noteSent({ ...transaction, account }, ++this.#moments);
    const url = `${this.#operatorUrl}/v1/accounts/${account}/transactions/${transaction.reference}`;
    const { status } = await this.#send('PUT', url, this.#operatorKey, bodyOf(transaction));
    assert.equal(status, 201, `a recording got ${status}`);
    known.noteRecorded(row, transaction.status, ++this.#moments);
  }

  async #send(method: string, url: string, key: string, body?: unknown): Promise<SoakAnswer> {
    const beganMs = performance.now();
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const asked = request(url, { method, headers, agent: this.#agent, signal: AbortSignal.timeout(10_000) });
    const answered = Promise.withResolvers<IncomingMessage>();
    asked.on('response', answered.resolve).on('error', answered.reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
    const response = await answered.promise;
    const answer = await text(response);
    this.requests++;
    this.#latenciesMs.push(performance.now() - beganMs);
    return { status: response.statusCode ?? 0, body: JSON.parse(answer) };
  }
}
