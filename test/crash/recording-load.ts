import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { noteKey } from '../rig/isolation.ts';
import { type RunOptions, run, type Served, walkList } from '../rig/process.ts';

const WRITERS = 6;
const BATCH_LINES = 40;
/** After a refusal, so that a service that is away is not asked in a busy loop. */
const PAUSE_MS = 10;
/** Never reached but by a fault, also where the machine is busy with something else. */
const GIVE_UP_MS = 60_000;

export async function makeOperatorKey(options: RunOptions): Promise<string> {
  const { status, stdout, stderr } = await run(['keys', 'create', '--operator', '--json'], options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).key;
}

interface Fact {
  account: string;
  reference: string;
  status: 'pending';
  amount: string;
  currencyCode: string;
  createdAt: string;
}

/** What a reference stands for is known by the reference, so that every row can be held to it. */
function factOf(account: string, index: number): Fact {
  return {
    account,
    reference: `${account}.r${index}`,
    status: 'pending',
    amount: `${index + 1}.00`,
    currencyCode: 'EUR',
    createdAt: new Date(Date.UTC(2026, 2, 1) + index * 1000).toISOString(),
  };
}

/** Records one fact after the other for an account, one by one and in batches, and knows what was acknowledged. */
export class RecordingLoad {
  readonly account: string;
  readonly acknowledged = new Set<string>();
  /** Facts that were told not to be recorded, and connections that ended without an answer. */
  unavailable = 0;
  cutOff = 0;
  readonly #events = new EventEmitter();
  #count = 0;
  #stopped = false;
  #writers: Promise<unknown> = Promise.resolve();

  constructor(account: string) {
    this.account = account;
  }

  start(operatorUrl: string, operatorKey: string): void {
    const headers = { authorization: `Bearer ${operatorKey}` };
    const single = async () => {
      const { account, reference, ...fact } = factOf(this.account, this.#count++);
      const answer = await fetch(`${operatorUrl}/v1/accounts/${account}/transactions/${reference}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(fact),
      });
      await answer.text();
      if (answer.status === 201) this.#acknowledge(reference);
      else await this.#refused(answer.status);
    };
    const batch = async () => {
      const facts = Array.from({ length: BATCH_LINES }, () => factOf(this.account, this.#count++));
      const answer = await fetch(`${operatorUrl}/v1/transactions/batch`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-ndjson' },
        body: facts.map((fact) => JSON.stringify(fact)).join('\n'),
      });
      const lines = (await answer.text()).split('\n').filter((line) => line.endsWith('}'));
      if (answer.status !== 200) return this.#refused(answer.status);
      for (const { line, outcome } of lines.map((text) => JSON.parse(text))) {
        if (outcome === 'recorded') this.#acknowledge(facts[line - 1]?.reference as string);
        else if (outcome === 'unavailable') await this.#refused(503);
        else assert.fail(`a batch was answered ${outcome}`);
      }
    };
    const writer = async (record: () => Promise<void>) => {
      while (!this.#stopped) {
        try {
          await record();
        } catch (error) {
          if (error instanceof assert.AssertionError) throw error;
          this.cutOff++;
          await delay(PAUSE_MS);
        }
      }
    };
    this.#stopped = false;
    this.#writers = Promise.all([writer(batch), ...Array.from({ length: WRITERS }, () => writer(single))]);
  }

  #acknowledge(reference: string): void {
    this.acknowledged.add(reference);
    this.#events.emit('acknowledged');
  }

  /** Waits until so many transactions have been acknowledged in all. */
  async untilAcknowledged(count: number): Promise<void> {
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    while (this.acknowledged.size < count) await once(this.#events, 'acknowledged', { signal });
  }

  async #refused(status: number): Promise<void> {
    assert.equal(status, 503);
    this.unavailable++;
    await delay(PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#writers;
  }

  /** Every acknowledged fact is there, once and as it was sent, and nothing that was not sent. */
  async check(served: Served, operatorKey: string): Promise<number> {
    const key = await makeKey(served, operatorKey, this.account);
    const rows = await walkList(served.url, key);
    const there = new Set(rows.map(({ reference }) => reference));
    assert.equal(there.size, rows.length, 'a row came twice');
    for (const reference of this.acknowledged) {
      assert.ok(there.has(reference), `${reference} was acknowledged and is gone`);
    }
    for (const row of rows) {
      const index = Number(row['reference']?.slice(`${this.account}.r`.length));
      assert.ok(index < this.#count, `${row['reference']} was never sent`);
      const { account: _, ...sent } = factOf(this.account, index);
      assert.deepEqual(row, { ...sent, merchantReference: null, paidAt: null });
    }
    return rows.length;
  }
}

/** Makes a key for an account with the operator's interface. */
export async function makeKey(
  { operatorUrl }: Served,
  operatorKey: string,
  account: string,
): Promise<string> {
  const answer = await fetch(`${operatorUrl}/v1/accounts/${account}/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  const { key } = (await answer.json()) as { key: string };
  noteKey(key, account);
  return key;
}

/** How long it takes until something is so. */
export async function until(isSo: () => Promise<boolean> | boolean): Promise<number> {
  const beganAtMs = performance.now();
  while (!(await isSo())) {
    assert.ok(performance.now() - beganAtMs < GIVE_UP_MS, 'it did not come to be');
    await delay(PAUSE_MS);
  }
  return performance.now() - beganAtMs;
}
