import type { ApiKey } from './api-key.ts';
import type { ApiKeyStore, KeyEnd } from './api-key-store.ts';

/** Cached keys are used only if a query of the key ends succeeded that began less than this time ago. */
export const KEY_ENDS_FRESH_MS = 900;
/** The interval between queries of the key ends. */
export const KEY_ENDS_INTERVAL_MS = 500;
/** A cached key is looked up again after this time in any case. */
const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface CacheEntry {
  key: ApiKey;
  readAtMs: number;
}

/**
 * Caches keys that were found, while the key ends are known, those of revoked and of rolled keys: every instance refuses a revoked key
 * within KEY_ENDS_FRESH_MS, and a rolled one from its end on, even if the database can't be reached.
 */
export class KeyCache {
  readonly #store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>;
  readonly #monotonicMs: () => number;
  readonly #entries = new Map<string, CacheEntry>();
  #ends: ReadonlyMap<string, KeyEnd> = new Map();
  /** When the query began that returned `#ends`. */
  #endsAsOfMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
  }

  /** Queries the key ends. Call it every KEY_ENDS_INTERVAL_MS; otherwise every request looks up its key. */
  async refresh(): Promise<void> {
    const beganAtMs = this.#monotonicMs();
    const ends = await this.#store.listKeyEnds();
    // A query that began later has already returned.
    if (beganAtMs < this.#endsAsOfMs) return;
    this.#ends = new Map(ends.map((end) => [end.id, end]));
    this.#endsAsOfMs = beganAtMs;
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

  /** The end of a key, if it was revoked or rolled recently, without a query: for a key that was accepted shortly before. */
  endOf(id: string): KeyEnd | undefined {
    return this.#ends.get(id);
  }

  async #lookUp(hash: string, nowMs: number): Promise<ApiKey | undefined> {
    const key = await this.#store.findApiKey(hash);
    this.#entries.delete(hash);
    if (key !== undefined && key.revokedAtMs === null) this.#add(hash, { key, readAtMs: nowMs });
    return key;
  }

  #isCurrent({ key, readAtMs }: CacheEntry, nowMs: number): boolean {
    if (nowMs - this.#endsAsOfMs >= KEY_ENDS_FRESH_MS || nowMs - readAtMs >= MAX_AGE_MS) return false;
    const end = this.#ends.get(key.id);
    // A key with another end was read before that was recorded.
    return end === undefined || (end.revokedAtMs === null && end.expiresAtMs === key.expiresAtMs);
  }

  #add(hash: string, entry: CacheEntry): void {
    if (this.#entries.size >= MAX_ENTRIES) {
      const [oldest] = this.#entries.keys();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(hash, entry);
  }
}
