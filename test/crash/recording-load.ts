import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { noteKey } from '../rig/database/isolation.ts';
import { until } from '../rig/run/give-up.ts';
import { temporaryFolder } from '../rig/run/temporary-folder.ts';
import {
  call,
  createOperatorKey,
  type RunOptions,
  type Served,
  startServe,
  walkList,
} from '../rig/service/process.ts';

export { createOperatorKey };

const WRITERS = 6;
const BATCH_LINES = 40;
const COMPLETED_EVERY = 3;
const PAUSE_MS = 10;

interface SentTransaction {
  account: string;
  reference: string;
  status: 'pending' | 'completed';
  amount: string;
  currencyCode: string;
  createdAt: string;
  paidAt: string | null;
}

function transactionAt(account: string, index: number, status: SentTransaction['status']): SentTransaction {
  const createdAt = new Date(Date.UTC(2026, 2, 1) + index * 1000).toISOString();
  return {
    account,
    reference: `${account}.r${index}`,
    status,
    amount: `${index + 1}.00`,
    currencyCode: 'EUR',
    createdAt,
    paidAt: status === 'pending' ? null : createdAt,
  };
}

export class RecordingLoad {
  readonly account: string;
  readonly acknowledged = new Set<string>();
  readonly #completions = new Set<string>();
  readonly #completed = new Set<string>();
  readonly ids = new Set<string>();
  readonly lines = new Set<string>();
  unavailable = 0;
  cutOff = 0;
  #count = 0;
  #stopped = false;
  #writers: Promise<unknown> = Promise.resolve();

  constructor(account: string) {
    this.account = account;
  }

  start(operatorUrl: string, operatorKey: string): void {
    const put = async ({ account, reference, ...json }: SentTransaction) => {
      const url = `${operatorUrl}/v1/accounts/${account}/transactions/${reference}`;
      const response = await call(url, operatorKey, { method: 'PUT', json });
      await response.text();
      if (![200, 201].includes(response.status)) await this.#refused(response.status);
      else this.ids.add(response.headers.get('change-id') as string);
      return response.status;
    };
    const single = async () => {
      const index = this.#count++;
      const { reference } = transactionAt(this.account, index, 'pending');
      if ((await put(transactionAt(this.account, index, 'pending'))) !== 201) return;
      this.acknowledged.add(reference);
      if (index % COMPLETED_EVERY > 0 || this.#stopped) return;
      this.#completions.add(reference);
      if ((await put(transactionAt(this.account, index, 'completed'))) === 200)
        this.#completed.add(reference);
    };
    const batch = async () => {
      const sent = Array.from({ length: BATCH_LINES }, () =>
        transactionAt(this.account, this.#count++, 'pending'),
      );
      const response = await call(`${operatorUrl}/v1/batch`, operatorKey, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: sent.map((one) => JSON.stringify(one)).join('\n'),
      });
      const lines = (await response.text()).split('\n').filter((line) => line.endsWith('}'));
      if (response.status !== 200) return this.#refused(response.status);
      for (const { line, outcome } of lines.map((text) => JSON.parse(text))) {
        const reference = sent[line - 1]?.reference as string;
        if (outcome === 'recorded') {
          this.lines.add(reference);
          this.acknowledged.add(reference);
        } else if (outcome === 'unavailable') await this.#refused(503);
        else assert.fail(`a line of a batch was answered ${outcome}`);
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

  async #refused(status: number): Promise<void> {
    assert.equal(status, 503);
    this.unavailable++;
    await delay(PAUSE_MS);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#writers;
  }

  async check(served: Served, operatorKey: string): Promise<number> {
    const key = await createAccountKey(served, operatorKey, this.account);
    const rows = await walkList(served.url, key);
    const listed = new Map(rows.map((row) => [row['reference'] as string, row]));
    assert.equal(listed.size, rows.length, 'a row is listed twice');
    for (const reference of this.acknowledged) {
      assert.ok(listed.has(reference), `${reference} was acknowledged and is lost`);
    }
    for (const reference of this.#completed) {
      assert.equal(listed.get(reference)?.['status'], 'completed', `the completion of ${reference} is lost`);
    }
    for (const [reference, row] of listed) {
      const index = Number(reference.slice(`${this.account}.r`.length));
      assert.ok(index < this.#count, `${reference} was never sent`);
      const status = row['status'] as SentTransaction['status'];
      assert.ok(status === 'pending' || this.#completions.has(reference), `${reference} is ${status}`);
      const { account: _, ...fields } = transactionAt(this.account, index, status);
      assert.deepEqual(row, { ...fields, merchantReference: null });
    }
    return rows.length;
  }
}

export async function createAccountKey(
  { operatorUrl }: Served,
  operatorKey: string,
  account: string,
): Promise<string> {
  const create = () =>
    call(`${operatorUrl}/v1/accounts/${account}/keys`, operatorKey, { method: 'POST', json: {} });
  let response = await create();
  await until(async () => {
    if (response.status !== 503) return true;
    await response.body?.cancel();
    response = await create();
    return false;
  });
  assert.equal(response.status, 201, await response.clone().text());
  const { key } = (await response.json()) as { key: string };
  noteKey(key, account);
  return key;
}

export interface Service {
  served: Served;
  options: RunOptions;
  operatorKey: string;
}

export async function serviceIn(
  t: TestContext,
  { env, args = [], through = [] }: Partial<Parameters<typeof startServe>[0]>,
): Promise<Service> {
  const options = { cwd: temporaryFolder(t).path, env: { OPERATOR_PORT: '0', ...env }, args };
  const operatorKey = await createOperatorKey(options);
  const served = await startServe({ ...options, through });
  t.after(() => served.stop('SIGKILL'));
  return { served, options, operatorKey };
}
