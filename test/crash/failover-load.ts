import assert from 'node:assert/strict';
import type { Served } from '../rig/service/process.ts';
import { until } from './recording-load.ts';

export const ACCOUNTS = ['store-1', 'store-2', 'store-3'] as const;
const BATCH_LINES = 20;

const rowOf = (status: string) => ({
  status,
  amount: '1.00',
  currencyCode: 'EUR',
  createdAt: '2026-03-01T00:00:00.000Z',
  paidAt: status === 'pending' ? null : '2026-03-01T00:00:00.000Z',
});

/** Records in several accounts at once, and knows what was acknowledged: of single recordings the ids, of batches the references. */
export class FailoverLoad {
  readonly ids = new Set<string>();
  readonly references = new Set<string>();
  readonly #headers: Record<string, string>;
  readonly #url: string;
  #count = 0;
  #isStopped = false;
  #failure: unknown;
  readonly #writers: Promise<unknown>;

  constructor({ operatorUrl }: Served, operatorKey: string) {
    this.#url = operatorUrl;
    this.#headers = { authorization: `Bearer ${operatorKey}` };
    this.#writers = Promise.all(
      ACCOUNTS.flatMap((account) => [
        this.#repeat(() => this.#single(account)),
        this.#repeat(() => this.#batch(account)),
      ]),
    );
  }

  get acknowledged(): number {
    return this.ids.size + this.references.size;
  }

  /** Waits until more recordings are acknowledged. */
  async untilMore(recordings: number): Promise<void> {
    const before = this.acknowledged;
    await until(() => this.#isStopped || this.acknowledged >= before + recordings);
    if (this.#failure !== undefined) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#writers;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #repeat(record: () => Promise<void>): Promise<void> {
    while (!this.#isStopped)
      await record().catch((error) => {
        this.#failure ??= error;
        this.#isStopped = true;
      });
  }

  async #single(account: string): Promise<void> {
    const reference = `single-${this.#count++}`;
    for (const status of ['pending', 'completed']) {
      const response = await fetch(`${this.#url}/v1/accounts/${account}/transactions/${reference}`, {
        method: 'PUT',
        headers: { ...this.#headers, 'content-type': 'application/json' },
        body: JSON.stringify(rowOf(status)),
      });
      await response.text();
      if (response.status === 503) return;
      assert.ok(response.ok, String(response.status));
      this.ids.add(response.headers.get('change-id') as string);
    }
  }

  async #batch(account: string): Promise<void> {
    const references = Array.from({ length: BATCH_LINES }, () => `line-${this.#count++}`);
    const response = await fetch(`${this.#url}/v1/batch`, {
      method: 'POST',
      headers: { ...this.#headers, 'content-type': 'application/x-ndjson' },
      body: references
        .map((reference) => JSON.stringify({ account, reference, ...rowOf('pending') }))
        .join('\n'),
    });
    const lines = (await response.text()).split('\n').filter((line) => line.endsWith('}'));
    if (response.status === 503) return;
    assert.equal(response.status, 200);
    for (const { line, outcome } of lines.map((text) => JSON.parse(text)))
      if (outcome === 'recorded') this.references.add(references[line - 1] as string);
  }
}

interface Feed {
  ids: Set<string>;
  references: Set<string>;
}

interface Page {
  data: { id: string; transaction: { reference: string } }[];
  lastSequence: number;
  hasMore: boolean;
}

/** The ids and references of everything that is recorded. */
export async function readFeeds({ url }: Served, keys: readonly string[]): Promise<Feed> {
  const feed: Feed = { ids: new Set(), references: new Set() };
  for (const key of keys)
    for (let after = 0, hasMore = true; hasMore; ) {
      const response = await fetch(`${url}/v1/changes?limit=1000&after=${after}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const page = (await response.json()) as Page;
      assert.equal(response.status, 200, JSON.stringify(page));
      for (const { id, transaction } of page.data) {
        feed.ids.add(id);
        feed.references.add(transaction.reference);
      }
      ({ lastSequence: after, hasMore } = page);
    }
  return feed;
}
