import { type DeliverablePart, WEBHOOK_BUCKETS } from '../webhook.ts';
import { NEVER } from './delivery-state.ts';

/**
 * All buckets are read again so long after this instance began to deliver: what the instance before stored late, after its lease had ended,
 * is seen then. Longer than a lease and a call of the database.
 */
const TAKEN_AGAIN_MS = 10_000;
/** All buckets are read within this time, one after the other, whatever is known of them. */
const SWEEP_MS = 300_000;
const SWEEP_INTERVAL_MS = SWEEP_MS / WEBHOOK_BUCKETS;

/** The number of endpoints, or accounts, that are read before others have a turn: some milliseconds of work. */
export const READ_AT_ONCE = 1000;
/** The most that are read of several buckets. */
const MOST_AT_ONCE = 2000;

/** A part that is read. */
export type ReadPart = DeliverablePart & {
  /** Whether the failures are read too, which another instance may have stored late. */
  reloads: boolean;
};

/** Which of the endpoints that this instance delivers to have to be read: those of some accounts first, then those of whole buckets. */
export class UnreadEndpoints {
  readonly #accounts = new Set<string>();
  /** Whether their failures have to be read too. */
  readonly #buckets = new Map<number, boolean>();
  /** When all buckets are read again, once. */
  #againMs = NEVER;
  #nextSweepMs = NEVER;
  #nextOfSweep = 0;
  #bucketsAtOnce = WEBHOOK_BUCKETS;

  get isEmpty(): boolean {
    return this.#accounts.size === 0 && this.#buckets.size === 0;
  }

  /** Call when this instance begins to deliver. */
  begin(nowMs: number): void {
    this.addAll();
    this.#againMs = nowMs + TAKEN_AGAIN_MS;
    this.#nextSweepMs = nowMs + SWEEP_INTERVAL_MS;
  }

  /** Call at an interval while this instance delivers. */
  hold(nowMs: number): void {
    if (nowMs >= this.#againMs) {
      this.addAll({ reloads: true });
      this.#againMs = NEVER;
    }
    if (nowMs < this.#nextSweepMs) return;
    this.#nextSweepMs += SWEEP_INTERVAL_MS;
    this.addBucket(this.#nextOfSweep++ % WEBHOOK_BUCKETS, { reloads: true });
  }

  /** Call when this instance delivers no more. */
  forget(): void {
    this.#buckets.clear();
    this.#accounts.clear();
  }

  addBucket(bucket: number, { reloads = false } = {}): void {
    this.#buckets.set(bucket, reloads || (this.#buckets.get(bucket) ?? false));
  }

  addAll(options: { reloads?: boolean } = {}): void {
    for (let bucket = 0; bucket < WEBHOOK_BUCKETS; bucket++) this.addBucket(bucket, options);
  }

  addAccount(account: string): void {
    this.#accounts.add(account);
  }

  /** Takes what is read next, about READ_AT_ONCE. */
  take(): ReadPart {
    if (this.#accounts.size > 0) {
      const taken = [...this.#accounts.values().take(READ_AT_ONCE)];
      for (const account of taken) this.#accounts.delete(account);
      return { accounts: taken, reloads: false };
    }
    const taken = [...this.#buckets.keys().take(this.#bucketsAtOnce)];
    const reloads = taken.some((bucket) => this.#buckets.get(bucket));
    for (const bucket of taken) this.#buckets.delete(bucket);
    return { buckets: taken, reloads, ...(taken.length > 1 && { limit: MOST_AT_ONCE }) };
  }

  /** Notes how many endpoints of a part were read. Returns whether these are all: otherwise, fewer buckets are read next. */
  noteRead(part: ReadPart, endpoints: number): boolean {
    if (!('buckets' in part) || part.buckets.length === 0) return true;
    const { length } = part.buckets;
    const isWhole = part.limit === undefined || endpoints < part.limit;
    const most = isWhole ? Math.floor((READ_AT_ONCE * length) / Math.max(1, endpoints)) : length / 8;
    this.#bucketsAtOnce = Math.max(1, Math.floor(Math.min(2 * length, most)));
    return isWhole;
  }

  putBack(part: ReadPart): void {
    if ('accounts' in part) for (const account of part.accounts) this.addAccount(account);
    else for (const bucket of part.buckets) this.addBucket(bucket, part);
  }
}
