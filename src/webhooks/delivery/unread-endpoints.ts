import { type DeliverablePart, WEBHOOK_BUCKETS } from '../webhook.ts';

/**
 * A bucket is read again so long after it was taken: what the instance before stored late, after its lease had ended, is seen then. Longer
 * than a lease and a call of the database.
 */
const TAKEN_AGAIN_MS = 10_000;
/** All buckets are read within this time, one after the other, whatever is known of them. */
const SWEEP_MS = 300_000;

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
  #delivered: readonly number[] = [];
  /** When each bucket was taken that was read once since. */
  readonly #takenMs = new Map<number, number>();
  #sweptMs = 0;
  #nextOfSweep = 0;
  #bucketsAtOnce = WEBHOOK_BUCKETS;

  get isEmpty(): boolean {
    return this.#accounts.size === 0 && this.#buckets.size === 0;
  }

  /** The buckets of which this instance delivers now. Call it at an interval. */
  hold(buckets: readonly number[], nowMs: number): void {
    const before = this.#delivered;
    this.#delivered = buckets;
    for (const bucket of this.#takenMs.keys()) if (!buckets.includes(bucket)) this.#takenMs.delete(bucket);
    for (const bucket of buckets) {
      if (before.includes(bucket)) continue;
      this.addBucket(bucket);
      this.#takenMs.set(bucket, nowMs);
    }
    for (const [bucket, takenMs] of this.#takenMs) {
      if (nowMs - takenMs < TAKEN_AGAIN_MS) continue;
      this.addBucket(bucket, true);
      this.#takenMs.delete(bucket);
    }
    if (before.length === 0) this.#sweptMs = nowMs;
    const intervalMs = SWEEP_MS / buckets.length;
    if (buckets.length === 0 || nowMs - this.#sweptMs < intervalMs) return;
    this.#sweptMs += intervalMs;
    this.addBucket(buckets[this.#nextOfSweep++ % buckets.length] as number, true);
  }

  /** Forgets what is known of all buckets: those that are held next are read. */
  forget(): void {
    this.#delivered = [];
    this.#takenMs.clear();
    this.#buckets.clear();
    this.#accounts.clear();
  }

  addBucket(bucket: number, reloads = false): void {
    this.#buckets.set(bucket, reloads || (this.#buckets.get(bucket) ?? false));
  }

  addAll(): void {
    for (const bucket of this.#delivered) this.addBucket(bucket);
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
    else for (const bucket of part.buckets) this.addBucket(bucket, part.reloads);
  }
}
