import { NotJudged } from './outcomes.js';
import { hasReached, pageThrough } from './page-through.js';

/** @typedef {PagesRead & { startedAt: number }} TimedPages */

/** Lists of up to MAX_PAGES_WHOLE pages may be read whole. Of others, MAX_PAGES_PART pages are used. */
const MAX_PAGES_WHOLE = 80;
const MAX_PAGES_PART = 30;

/** A replica of the database may be this far behind. */
export const REPLICA_MS = 1500;

export class Facts {
  /** @type {TimedPages | undefined} */
  #latest;
  /** @type {Promise<TimedPages> | undefined} */
  #reading;
  /** @type {Map<string, Promise<any>>} */
  #once = new Map();

  /** @param {AccountClient} client */
  constructor(client) {
    this.client = client;
  }

  window() {
    return this.once('window', () => this.#readWindow());
  }

  async rows() {
    const { rows } = await this.window();
    if (rows.length === 0) throw new NotJudged('the account has no transactions');
    return rows;
  }

  async windowLater() {
    await this.window();
    await new Promise((resolve) => setTimeout(resolve, REPLICA_MS));
    return this.windowAfter(performance.now());
  }

  /** @param {number} afterMs of performance.now() */
  async windowAfter(afterMs) {
    const window = await this.window();
    const last = window.isComplete ? undefined : window.rows.at(-1);
    for (;;) {
      if (this.#latest !== undefined && this.#latest.startedAt >= afterMs) return this.#latest;
      this.#reading ??= this.#readUntil(last).finally(() => {
        this.#reading = undefined;
      });
      this.#latest = await this.#reading;
      if (last === undefined ? !this.#latest.isComplete : !hasReached(this.#latest, last))
        throw new NotJudged('the account grew too much during the run');
    }
  }

  /** @template T @param {string} name @param {() => Promise<T>} read @returns {Promise<T>} */
  once(name, read) {
    if (!this.#once.has(name)) this.#once.set(name, read());
    return /** @type {Promise<T>} */ (this.#once.get(name));
  }

  /** @param {Transaction | undefined} last @returns {Promise<TimedPages>} */
  async #readUntil(last) {
    const startedAt = performance.now();
    const again = await pageThrough(this.client, {}, { maxPages: MAX_PAGES_WHOLE * 2, until: last });
    return { ...again, startedAt };
  }

  /** @returns {Promise<TimedPages>} */
  async #readWindow() {
    const startedAt = performance.now();
    const part = await pageThrough(this.client, {}, { maxPages: MAX_PAGES_PART });
    if (part.isComplete) return { ...part, startedAt };
    const isSmall = await this.#isSmall(part);
    if (!isSmall) return { ...part, startedAt };
    const cursor = part.pages.at(-1)?.body.nextCursor;
    const rest = await pageThrough(this.client, {}, { maxPages: MAX_PAGES_WHOLE - MAX_PAGES_PART, cursor });
    if (!rest.isComplete) return { ...part, startedAt };
    const pages = [...part.pages, ...rest.pages];
    return { rows: [...part.rows, ...rest.rows], pages, isComplete: true, startedAt };
  }

  /** Guesses whether the list ends soon after `part`. @param {TimedPages | PagesRead} part */
  async #isSmall(part) {
    const newest = Date.parse(part.rows[0].createdAt);
    const oldest = Date.parse(/** @type {any} */ (part.rows.at(-1)).createdAt);
    const before = new Date(oldest - (newest - oldest) * 3 - 86_400_000);
    if (Number.isNaN(before.getTime()) || before.getUTCFullYear() < 1) return true;
    const page = await this.client.list({ to: before.toISOString().slice(0, 10) });
    return page.status !== 200 || page.body?.data?.length === 0;
  }
}
