import { READ_AT_ONCE } from './unread-endpoints.ts';

/**
 * The head of an account is read so long after its endpoint was first read: a recording that began before the account was watched does not
 * mark it. Longer than the largest REQUEST_TIMEOUT and a call of the database.
 */
const NEWLY_WATCHED_MS = 75_000;

/** The accounts whose recordings may not mark them yet. */
export class NewlyWatched {
  readonly #untilMs = new Map<string, number>();

  add(account: string, nowMs: number): void {
    this.#untilMs.set(account, nowMs + NEWLY_WATCHED_MS);
  }

  /** Some of them, in turn, each a last time after its time: however many there are, the accounts that moved are read soon. */
  take(nowMs: number): string[] {
    const taken = [...this.#untilMs.entries().take(READ_AT_ONCE)];
    for (const [account, untilMs] of taken) {
      this.#untilMs.delete(account);
      if (nowMs < untilMs) this.#untilMs.set(account, untilMs);
    }
    return taken.map(([account]) => account);
  }
}
