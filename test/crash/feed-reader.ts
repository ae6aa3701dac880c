import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangePageBody } from '../../src/ledger/changes/http/change-schemas.ts';
import { FeedTotals } from '../rig/data/feed-totals.ts';
import { FeedCopy, KnownFeed } from '../rig/data/known-feed.ts';
import { refuseForeignRows } from '../rig/database/isolation.ts';

const LIMIT = 1000;
const WAIT_SECONDS = 5;
/** Leaves the processor to the service. */
const PAUSE_MS = 20;

/** Reads the change feed of an account through kills. What it has read must be there afterwards, byte for byte. */
export class FeedReader {
  readonly key: string;
  readonly #feed = new KnownFeed();
  readonly #aborter = new AbortController();
  /** The changes read so far, as they were sent. */
  #text = '';
  #lastSequence = 0;
  #lastId: string | null = null;
  #following: Promise<void> = Promise.resolve();

  constructor(key: string) {
    this.key = key;
  }

  /** How many changes were read. */
  get size(): number {
    return this.#lastSequence;
  }

  /** Reads what is recorded, until `stop`. */
  start(url: string): void {
    this.#following = this.#follow(url);
    // Awaited by `stop`; a failure may come earlier.
    this.#following.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#aborter.abort();
    await this.#following;
  }

  /** Reads the feed from its first change: it begins with all that was read before. Returns the copy that it gives. */
  async check(url: string): Promise<FeedCopy> {
    const copy = new FeedCopy();
    let text = '';
    for (let hasMore = true; hasMore; ) {
      const page = await this.#read(url, copy.lastSequence, copy.lastId, 0);
      assert.ok(page !== undefined, 'the change feed is not available');
      copy.apply(page.body.data);
      text = joined(text, page.text);
      hasMore = page.body.hasMore;
    }
    assert.ok(text.startsWith(this.#text), 'the change feed does not begin with what was read before');
    this.#text = text;
    this.#lastSequence = copy.lastSequence;
    this.#lastId = copy.lastId;
    await this.#checkTotals(url, copy);
    return copy;
  }

  /** The totals are those of the copy, wherever a kill has interrupted an addition. Nothing is recorded meanwhile. */
  async #checkTotals(url: string, { transactions, lastSequence, lastId }: FeedCopy): Promise<void> {
    const headers = { authorization: `Bearer ${this.key}` };
    const response = await fetch(`${url}/v1/totals?by=day`, { headers });
    assert.equal(response.status, 200);
    const copied = new FeedTotals();
    for (const transaction of transactions.values()) copied.apply({ previousStatus: null, transaction });
    const expected = { data: copied.rows({ by: 'day' }), asOf: lastSequence, asOfId: lastId };
    assert.deepEqual(await response.json(), expected, 'the totals are not those of the changes');
  }

  async #follow(url: string): Promise<void> {
    const { signal } = this.#aborter;
    while (!signal.aborted) {
      try {
        const page = await this.#read(url, this.#lastSequence, this.#lastId, WAIT_SECONDS);
        if (page !== undefined) {
          this.#text = joined(this.#text, page.text);
          this.#lastSequence = page.body.lastSequence;
          this.#lastId = page.body.lastId;
        }
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        // The service was killed.
      }
      await delay(PAUSE_MS);
    }
  }

  /** A page, and its changes as they were sent. Undefined if the service is not available. */
  async #read(
    url: string,
    after: number,
    afterId: string | null,
    waitSeconds: number,
  ): Promise<{ body: ChangePageBody; text: string } | undefined> {
    const position = `after=${after}${afterId === null ? '' : `&afterId=${afterId}`}`;
    const response = await fetch(`${url}/v1/changes?${position}&limit=${LIMIT}&wait=${waitSeconds}`, {
      headers: { authorization: `Bearer ${this.key}` },
      ...(waitSeconds > 0 && { signal: this.#aborter.signal }),
    });
    const sent = await response.text();
    if (response.status === 503) return undefined;
    assert.equal(response.status, 200, sent);
    const body = JSON.parse(sent) as ChangePageBody;
    refuseForeignRows(this.key, body);
    this.#feed.checkPage(body, after, afterId, LIMIT);
    const text = sent.slice(sent.indexOf('[') + 1, sent.lastIndexOf('],"lastSequence":'));
    return { body, text };
  }
}

const joined = (one: string, other: string) => (one === '' || other === '' ? one + other : `${one},${other}`);
