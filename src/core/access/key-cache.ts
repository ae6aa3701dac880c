import type { ApiKeyStore } from '../store.ts';
import type { ApiKey } from './api-key.ts';

/** Cached keys are used only if a query of the revocations succeeded that began less than this time ago. */
export const REVOCATIONS_FRESH_MS = 900;
/** The interval between queries of the revocations. */
export const REVOCATIONS_INTERVAL_MS = 500;
/** A cached key is looked up again after this time in any case. */
const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface CacheEntry {
  key: ApiKey;
  readAtMs: number;
}

/**
 * Caches keys that were found, while the revocations are known: every instance refuses a revoked key within
 * REVOCATIONS_FRESH_MS, even if the database can't be reached.
 */
export class KeyCache {
  readonly #store: Pick<ApiKeyStore, 'findApiKey' | 'listRecentlyRevoked'>;
  readonly #monotonicMs: () => number;
  readonly #entries = new Map<string, CacheEntry>();
  #revoked: ReadonlySet<string> = new Set();
  /** When the query began that returned `#revoked`. */
  #revokedAsOfMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<ApiKeyStore, 'findApiKey' | 'listRecentlyRevoked'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
  }

  /** Queries the revocations. Call it every REVOCATIONS_INTERVAL_MS; otherwise every request looks up its key. */
  async refresh(): Promise<void> {
    const beganAtMs = this.#monotonicMs();
    const revoked = await this.#store.listRecentlyRevoked();
    // A query that began later has already returned.
    if (beganAtMs < this.#revokedAsOfMs) return;
    this.#revoked = new Set(revoked);
    this.#revokedAsOfMs = beganAtMs;
  }

  /**
   * Finds a key by its hash, like ApiKeyStore.findApiKey. Returns a cached key itself, and a promise if the store is queried.
   *
   * `beforeUnknown` is called before the store is queried for a key that is not cached. If it throws, the store is not queried.
   */
  find(hash: string, beforeUnknown = () => {}): ApiKey | undefined | Promise<ApiKey | undefined> {
    const nowMs = this.#monotonicMs();
    const entry = this.#entries.get(hash);
    if (entry !== undefined && this.#isCurrent(entry, nowMs)) return entry.key;
    if (entry === undefined) beforeUnknown();
    return this.#lookUp(hash, nowMs);
  }

  /** Whether a key is known to be revoked, without a query: for a key that was accepted shortly before. */
  isRevoked(id: string): boolean {
    return this.#revoked.has(id);
  }

  async #lookUp(hash: string, nowMs: number): Promise<ApiKey | undefined> {
    const key = await this.#store.findApiKey(hash);
    this.#entries.delete(hash);
    if (key !== undefined && key.revokedAtMs === null) this.#add(hash, { key, readAtMs: nowMs });
    return key;
  }

  #isCurrent({ key, readAtMs }: CacheEntry, nowMs: number): boolean {
    return (
      nowMs - this.#revokedAsOfMs < REVOCATIONS_FRESH_MS &&
      nowMs - readAtMs < MAX_AGE_MS &&
      !this.#revoked.has(key.id)
    );
  }

  #add(hash: string, entry: CacheEntry): void {
    if (this.#entries.size >= MAX_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(hash, entry);
  }
}
