import assert from 'node:assert/strict';
import type { ChangePageBody } from '../../src/ledger/changes/http/change-schemas.ts';
import { bodyOf } from '../model/transactions.ts';
import { FeedTotals } from '../rig/data/feed-totals.ts';
import { FeedCopy, KnownFeed } from '../rig/data/known-feed.ts';
import type { KnownTransactions } from '../rig/data/known-transactions.ts';
import type { Random } from '../rig/run/random.ts';
import type { Instance } from './instance.ts';
import { revoke } from './key-manager.ts';
import type { KnownKey } from './known-key.ts';
import { recordAfterFaults } from './recorder.ts';
import type { SimulatedResponse, Simulation } from './simulation.ts';
import { randomParameters, readTotals } from './totals-reader.ts';

const CHANGES = '/v1/changes';
const LIMITS = [1, 3, 10, 100, 1000];
const WAITS_SECONDS = [0, 0, 1, 3];
/** How soon a change of another instance wakes a caller. One of its own instance does so at once. */
const WOKEN_WITHIN_MS = 1000;
/** How soon the wait of a revoked key ends. */
const REFUSED_WITHIN_MS = 1000;

interface ReadOptions {
  instance?: Instance;
  key?: KnownKey;
  limit?: number;
  waitSeconds?: number;
}

/** Sends again while the rate limit refuses the key. */
async function sendAdmitted(
  simulation: Simulation,
  send: () => Promise<SimulatedResponse | undefined>,
): Promise<SimulatedResponse> {
  for (;;) {
    const response = await send();
    assert.ok(response !== undefined);
    if (response.status !== 429) return response;
    await simulation.time.delay(Number(response.headers['retry-after']) * 1000);
  }
}

/** A client that keeps a copy of the transactions of an account by its change feed. */
export class Follower {
  readonly account: string;
  readonly #simulation: Simulation;
  readonly #known: KnownTransactions;
  readonly #feed = new KnownFeed();
  #copy = new FeedCopy();
  /** The head sequences that were shown, and the moments of their responses. */
  readonly #heads: { at: number; headSequence: number }[] = [];

  constructor(simulation: Simulation, account: string) {
    this.account = account;
    this.#simulation = simulation;
    this.#known = simulation.knownOf(account);
  }

  /** Follows the feed through faults. */
  async run(random: Random, requests: number): Promise<void> {
    for (let count = 0; count < requests; count++) {
      const keys = this.#simulation.keys.filter(({ account }) => account === this.account);
      const options = {
        key: random.pick(keys),
        limit: random.pick(LIMITS),
        waitSeconds: random.pick(WAITS_SECONDS),
      };
      if (random.chance(0.1)) await this.#readAhead(options);
      // A client that has lost its copy reads everything again, and gets the same.
      else if (random.chance(0.2)) this.#copy = new FeedCopy();
      await this.read(options);
      await this.#simulation.time.delay(random.integer(0, 5) * 100);
    }
  }

  /** Requests the changes after those of the copy, checks and applies them. */
  async read(options: ReadOptions): Promise<SimulatedResponse | undefined> {
    const { limit = 1000 } = options;
    const { lastSequence: after, lastId } = this.#copy;
    const response = await this.#send(after, lastId, { ...options, limit });
    if (response === undefined) return undefined;
    if (response.status === 200) this.#checkPage(response, { after, afterId: lastId }, limit);
    else assert.ok([401, 429, 503].includes(response.status), `the feed got ${response.text}`);
    return response;
  }

  /** Reads again while the rate limit refuses the key. */
  readAdmitted(options: ReadOptions): Promise<SimulatedResponse> {
    return sendAdmitted(this.#simulation, () => this.read(options));
  }

  /** After the faults: the whole feed is there, and a wait ends with the next recording. */
  async checkAfterFaults(random: Random): Promise<void> {
    const limit = random.pick([30, 1000]);
    for (let hasMore = true; hasMore; ) {
      const { status, body } = await this.readAdmitted({ limit });
      assert.equal(status, 200, 'the change feed failed after the faults');
      hasMore = body.hasMore;
    }
    await this.#compareTotals(random);
    const instance = random.pick(this.#simulation.instances);
    const recordLater = async () => {
      await this.#simulation.time.delay(random.integer(0, 4) * 100);
      return recordAfterFaults(this.#simulation, random, this.account);
    };
    const [waited, recorded] = await Promise.all([
      this.readAdmitted({ instance, waitSeconds: 5 }),
      recordLater(),
    ]);
    assert.equal(waited.status, 200);
    assert.equal(waited.body.data.length, 1, 'a wait did not end with the recording');
    const lateMs = waited.endedMs - Math.max(recorded.endedMs, waited.startedMs);
    const promisedMs = recorded.instance === instance ? 0 : WOKEN_WITHIN_MS;
    assert.ok(lateMs <= promisedMs, `a recording ended a wait after ${lateMs} ms`);
  }

  /** While nothing is recorded, totals are those of the copy, and hold at its last number. */
  async #compareTotals(random: Random): Promise<void> {
    const key = this.#simulation.keys.find(({ account }) => account === this.account) as KnownKey;
    const parameters = randomParameters(random);
    const response = await sendAdmitted(this.#simulation, () =>
      readTotals(this.#simulation, key, parameters),
    );
    assert.equal(response.status, 200, 'totals failed after the faults');
    const copied = new FeedTotals();
    for (const transaction of this.#copy.transactions.values())
      copied.apply({ previousStatus: null, transaction });
    const expected = {
      data: copied.rows(parameters),
      asOf: this.#copy.lastSequence,
      asOfId: this.#copy.lastId,
    };
    assert.deepEqual(response.body, expected, 'the totals are not those of the copy');
  }

  /** A wait ends soon after its key is revoked. */
  async checkRevokedWait(random: Random, key: KnownKey): Promise<void> {
    const revokeLater = async () => {
      await this.#simulation.time.delay(random.integer(0, 4) * 100);
      return revoke(this.#simulation, key);
    };
    const [waited] = await Promise.all([this.readAdmitted({ key, waitSeconds: 10 }), revokeLater()]);
    assert.equal(waited.status, 401, 'a wait did not end with its key');
    const lateMs = waited.endedMs - Math.max(key.revokedMs, waited.startedMs);
    assert.ok(lateMs <= REFUSED_WITHIN_MS, `a wait ended ${lateMs} ms after its key`);
  }

  /** A wait ends at once when its instance stops. */
  async checkStoppedWait(instance: Instance): Promise<void> {
    const stopLater = async () => {
      await this.#simulation.time.delay(100);
      instance.stop();
    };
    const [waited] = await Promise.all([this.readAdmitted({ instance, waitSeconds: 30 }), stopLater()]);
    assert.equal(waited.status, 200);
    const lateMs = waited.endedMs - Math.max(instance.stoppedMs, waited.startedMs);
    assert.equal(lateMs, 0, `a wait delayed a stop for ${lateMs} ms`);
  }

  #send(after: number, afterId: string | null, { instance, key, limit, waitSeconds = 0 }: ReadOptions) {
    const initial = this.#simulation.keys.find(({ account }) => account === this.account) as KnownKey;
    return this.#simulation.send({
      to: 'public',
      ...(instance !== undefined && { instance }),
      method: 'GET',
      url: `${CHANGES}?after=${after}${afterId === null ? '' : `&afterId=${afterId}`}&limit=${limit}&wait=${waitSeconds}`,
      key: key ?? initial,
      ...(waitSeconds > 0 && { waitMs: waitSeconds * 1000 }),
    });
  }

  /** A number beyond the head is refused, with the head. */
  async #readAhead(options: ReadOptions): Promise<void> {
    const response = await this.#send(this.#copy.lastSequence + 1_000_000, null, options);
    if (response === undefined || [401, 429, 503].includes(response.status)) return;
    assert.equal(response.body.code, 'sequence_ahead');
    this.#checkHead(response, response.body.headSequence);
  }

  #checkPage(
    response: SimulatedResponse,
    { after, afterId }: { after: number; afterId: string | null },
    limit: number,
  ): void {
    const page = response.body as ChangePageBody;
    this.#feed.checkPage(page, after, afterId, limit);
    this.#checkHead(response, page.headSequence);
    for (const { transaction } of page.data) {
      this.#known.checkShown(transaction, Number.NEGATIVE_INFINITY, response);
    }
    this.#copy.apply(page.data);
    if (page.hasMore) return;
    this.#checkNoneIsLost(response);
    if (page.data.length > 0) this.#compareWithModel();
  }

  #checkHead(response: SimulatedResponse, headSequence: number): void {
    const floor = this.#simulation.floorOf(response);
    const least = this.#heads.findLast(({ at }) => at <= floor)?.headSequence ?? 0;
    assert.ok(headSequence >= least, `the head sequence fell from ${least} to ${headSequence}`);
    const largest = Math.max(headSequence, this.#heads.at(-1)?.headSequence ?? 0);
    this.#heads.push({ at: response.endedAt, headSequence: largest });
  }

  /** Every recording that was acknowledged before the request has its change. */
  #checkNoneIsLost(response: SimulatedResponse): void {
    const floor = this.#simulation.floorOf(response);
    for (const row of this.#known.rows) {
      const { reference } = row.fields;
      const status = this.#copy.transactions.get(reference)?.status;
      const possible = this.#known.possibleStates(row, floor, response.endedAt);
      assert.ok(
        possible.some((state) => state?.status === status),
        `by its changes, ${reference} is ${status ?? 'not recorded'}`,
      );
    }
  }

  /** The copy is what the model's rows were when the last change was recorded. */
  #compareWithModel(): void {
    const { transactions, lastSequence } = this.#copy;
    const rows = this.#simulation.model.transactionsAt(this.account, lastSequence);
    assert.equal(transactions.size, rows.length, 'the copy has another number of transactions');
    for (const row of rows) {
      const { reference } = row;
      const copied = JSON.stringify(transactions.get(reference));
      assert.equal(copied, JSON.stringify({ reference, ...bodyOf(row) }), 'the copy differs');
    }
  }
}

/** After the faults: waits end when they must. */
export async function checkWaitsEnd(
  simulation: Simulation,
  random: Random,
  followers: readonly Follower[],
): Promise<void> {
  const isUsable = ({ name, revokeSentMs, expiresAtMs }: KnownKey) =>
    name.startsWith('key-') && revokeSentMs === Number.POSITIVE_INFINITY && expiresAtMs === null;
  const key = simulation.keys.find(isUsable);
  const owner = followers.find(({ account }) => account === key?.account);
  if (key !== undefined && owner !== undefined) await owner.checkRevokedWait(random, key);
  for (const instance of simulation.instances) await random.pick(followers).checkStoppedWait(instance);
}
