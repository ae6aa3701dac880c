import type { DeliverableQuery, EndpointName } from '../webhook.ts';
import { NEVER } from './delivery-state.ts';

/** After this instance takes the lease, the former holder may still store progress for this long. */
const FORMER_HOLDER_WRITES_MS = 10_000;
/** Longer than any recording, because `listMovedAccounts` can miss recordings that began before the watch. */
const NEWLY_WATCHED_MS = 75_000;

export const READ_AT_ONCE = 1000;

export type DeliverableRead = DeliverableQuery & {
  reloadsFailures: boolean;
};

export class UnreadEndpoints {
  readonly #accounts = new Set<string>();
  /** A round reads all endpoints, page by page. Undefined if no round is running. */
  #nextPage: { after: EndpointName | null; reloadsFailures: boolean } | undefined;
  #nextRound: { reloadsFailures: boolean } | undefined;
  #againMs = NEVER;

  get isEmpty(): boolean {
    return this.#accounts.size === 0 && this.#nextPage === undefined;
  }

  begin(nowMs: number): void {
    this.addAll();
    this.#againMs = nowMs + FORMER_HOLDER_WRITES_MS;
  }

  readAgainIfDue(nowMs: number): void {
    if (nowMs < this.#againMs) return;
    this.addAll({ reloadsFailures: true });
    this.#againMs = NEVER;
  }

  forget(): void {
    this.#nextPage = undefined;
    this.#nextRound = undefined;
    this.#accounts.clear();
  }

  addAll({ reloadsFailures = false } = {}): void {
    if (this.#nextPage === undefined) this.#nextPage = { after: null, reloadsFailures };
    else this.#nextRound = { reloadsFailures: reloadsFailures || this.#nextRound?.reloadsFailures === true };
  }

  addAccount(account: string): void {
    this.#accounts.add(account);
  }

  take(): DeliverableRead {
    const accounts = [...this.#accounts.values().take(READ_AT_ONCE)];
    for (const account of accounts) this.#accounts.delete(account);
    if (accounts.length > 0 || this.#nextPage === undefined) return { accounts, reloadsFailures: false };
    return { ...this.#nextPage, limit: READ_AT_ONCE };
  }

  noteRead(read: DeliverableRead, last: EndpointName | null): void {
    if ('accounts' in read) return;
    if (last !== null) this.#nextPage = { after: last, reloadsFailures: read.reloadsFailures };
    else {
      this.#nextPage = this.#nextRound && { after: null, ...this.#nextRound };
      this.#nextRound = undefined;
    }
  }

  putBack(read: DeliverableRead): void {
    if ('accounts' in read) for (const account of read.accounts) this.addAccount(account);
  }
}

export class NewlyWatched {
  readonly #untilMs = new Map<string, number>();

  add(account: string, nowMs: number): void {
    this.#untilMs.set(account, nowMs + NEWLY_WATCHED_MS);
  }

  /** Returns the accounts in turn. Once NEWLY_WATCHED_MS are over, an account is returned one last time. */
  take(nowMs: number): string[] {
    const taken = [...this.#untilMs.entries().take(READ_AT_ONCE)];
    for (const [account, untilMs] of taken) {
      this.#untilMs.delete(account);
      if (nowMs < untilMs) this.#untilMs.set(account, untilMs);
    }
    return taken.map(([account]) => account);
  }
}
