import assert from 'node:assert/strict';
import type { Attempt, SendResult } from '../../src/webhooks/send.ts';
import type { WebhookEndpoint } from '../../src/webhooks/webhook.ts';
import { shownChange } from '../model/ledger.ts';
import type { Random } from '../rig/run/random.ts';
import type { ModelStore } from './model-store.ts';

const OK: SendResult = { status: 200, retryAfterMs: null };
const MAX_LATENCY_STEPS = 20;

/** How the network and the program of a receiver behave. */
type ReceiverConditions = 'working' | 'unreliable' | 'down' | 'hanging';

/** A receiver with the network before it. It knows what it has accepted, and checks what it gets. */
export class Receiver {
  readonly endpoint: WebhookEndpoint;
  readonly #model: ModelStore;
  readonly #random: Random;
  readonly #delay: (milliseconds: number) => Promise<void>;
  conditions: ReceiverConditions = 'working';
  /** How often each change was accepted, by its sequence number. */
  readonly accepted = new Map<number, number>();
  /** The same, whatever is delivered again. */
  readonly #seen = new Set<number>();
  readonly #ids = new Map<number, string>();
  /** Changes that it refuses every time, as a program with a mistake does. */
  readonly refused = new Set<number>();
  isGone = false;

  constructor(
    endpoint: WebhookEndpoint,
    model: ModelStore,
    random: Random,
    delay: (milliseconds: number) => Promise<void>,
  ) {
    this.endpoint = endpoint;
    this.#model = model;
    this.#random = random;
    this.#delay = delay;
  }

  /** The sequence numbers after `after` that it must get. */
  wanted(after: number, upTo = Number.POSITIVE_INFINITY): number[] {
    const { account, types } = this.endpoint;
    return (this.#model.changes.get(account) ?? [])
      .map(({ change }) => change)
      .filter(({ sequence }) => sequence > after && sequence <= upTo)
      .filter(({ transaction }) => types?.includes(`transaction.${transaction.status}`) ?? true)
      .map(({ sequence }) => sequence);
  }

  /** An attempt goes through the network. */
  async receive(attempt: Attempt): Promise<SendResult> {
    const random = this.#random;
    if (this.conditions === 'working') {
      await this.#delay(random.chance(0.2) ? random.integer(1, 5) * 100 : 0);
      return this.#answer(attempt);
    }
    if (this.conditions === 'down') return { error: 'the connection was refused' };
    if (this.conditions === 'hanging') return this.#timeOut(attempt);
    await this.#delay(random.integer(0, MAX_LATENCY_STEPS) * 100);
    const fate = random.integer(0, 9);
    if (fate === 0) return { error: 'the connection was lost' };
    if (fate === 1) return { status: 500, retryAfterMs: null };
    if (fate === 2) return { status: random.pick([429, 503]), retryAfterMs: random.integer(0, 5) * 1000 };
    if (fate === 3) return { status: 302, retryAfterMs: null };
    const answer = this.#answer(attempt);
    if (fate === 4) return { error: 'the connection was lost' };
    if (fate === 5) return this.#timeOut(attempt);
    return answer;
  }

  async #timeOut({ timeoutMs }: Attempt): Promise<SendResult> {
    await this.#delay(timeoutMs);
    return { error: 'there was no response in time' };
  }

  #answer({ body, headers }: Attempt): SendResult {
    if (this.isGone) return { status: 410, retryAfterMs: null };
    const { data } = JSON.parse(body);
    const { sequence } = data;
    const { account, ordered } = this.endpoint;
    const change = this.#model.changes.get(account)?.[sequence - 1]?.change;
    assert.ok(change !== undefined, `${account} has no change ${sequence}`);
    const id = headers['webhook-id'] as string;
    const recordedAt = new Date(change.recordedAtMs).toISOString();
    const expected = shownChange({ ...change, id, recordedAt, isRemoved: false });
    assert.deepEqual(data, expected, 'another change was delivered');
    assert.ok(this.wanted(sequence - 1, sequence).length > 0, `change ${sequence} is not wanted`);
    assert.equal(this.#ids.get(sequence) ?? id, id, `change ${sequence} has two ids`);
    if (this.refused.has(sequence)) return { status: 400, retryAfterMs: null };
    if (ordered && !this.#seen.has(sequence))
      for (const before of this.wanted(0, sequence - 1))
        assert.ok(this.#seen.has(before), `change ${sequence} came before ${before}`);
    this.#seen.add(sequence);
    this.#ids.set(sequence, id);
    this.accepted.set(sequence, (this.accepted.get(sequence) ?? 0) + 1);
    return OK;
  }
}
