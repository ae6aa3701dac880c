import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Change } from '../../src/ledger/changes/change.ts';
import type { Random } from '../rig/run/random.ts';

const BATCH_LINES = 6;
/** Leaves the processor to the deliveries. */
const PAUSE_MS = 10;

interface Sent {
  account: string;
  reference: string;
  status: 'pending' | 'completed';
}

/** Records small batches of transactions, completes some of them, and knows what was acknowledged. */
export class WebhookLoad {
  readonly #accounts: readonly string[];
  readonly #random: Random;
  /** Each as `account reference status`. */
  readonly #acknowledged = new Set<string>();
  #pending: Sent[] = [];
  #count = 0;
  #isStopped = false;
  #recording: Promise<void> = Promise.resolve();

  constructor(accounts: readonly string[], random: Random) {
    this.#accounts = accounts;
    this.#random = random;
  }

  /** How many changes were acknowledged. */
  get acknowledged(): number {
    return this.#acknowledged.size;
  }

  /** Records until `stop`. Rejects if a recording is answered as none should be. */
  start(operatorUrl: string, operatorKey: string, onAcknowledged: () => void): Promise<void> {
    this.#isStopped = false;
    this.#recording = this.#record(operatorUrl, operatorKey, onAcknowledged);
    return this.#recording;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#recording;
  }

  /** Every acknowledged change is in the feed of its account. */
  check(feeds: ReadonlyMap<string, readonly Change[]>): void {
    const recorded = new Set<string>();
    for (const [account, changes] of feeds)
      for (const { transaction } of changes)
        recorded.add(`${account} ${transaction.reference} ${transaction.status}`);
    for (const one of this.#acknowledged) assert.ok(recorded.has(one), `${one} was acknowledged and is lost`);
  }

  async #record(operatorUrl: string, operatorKey: string, onAcknowledged: () => void): Promise<void> {
    const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/x-ndjson' };
    while (!this.#isStopped) {
      const batch = this.#next();
      const body = batch.map((one) => JSON.stringify(bodyOf(one))).join('\n');
      try {
        const response = await fetch(`${operatorUrl}/v1/batch`, {
          method: 'POST',
          headers,
          body,
        });
        const lines = (await response.text()).split('\n').filter((line) => line.endsWith('}'));
        assert.equal(response.status, 200, lines.join());
        for (const { line, outcome } of lines.map((text) => JSON.parse(text)))
          this.#note(batch[line - 1] as Sent, outcome);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        // The service was killed.
      }
      onAcknowledged();
      await delay(PAUSE_MS);
    }
  }

  /** New transactions, and completions of some that are acknowledged. */
  #next(): Sent[] {
    const completed = this.#pending.filter(() => this.#random.chance(0.5)).slice(0, BATCH_LINES / 2);
    this.#pending = [];
    const added = Array.from({ length: BATCH_LINES - completed.length }, (): Sent => {
      const account = this.#random.pick(this.#accounts);
      return { account, reference: `${account}.r${this.#count++}`, status: 'pending' };
    });
    return [...completed.map((one): Sent => ({ ...one, status: 'completed' })), ...added];
  }

  #note(sent: Sent, outcome: string): void {
    assert.ok(['recorded', 'changed'].includes(outcome), `a line of a batch was answered ${outcome}`);
    this.#acknowledged.add(`${sent.account} ${sent.reference} ${sent.status}`);
    if (sent.status === 'pending') this.#pending.push(sent);
  }
}

function bodyOf({ account, reference, status }: Sent) {
  const createdAt = '2026-06-15T12:00:00.000Z';
  const paidAt = status === 'completed' ? createdAt : null;
  return { account, reference, status, amount: '12.50', currencyCode: 'EUR', createdAt, paidAt };
}
