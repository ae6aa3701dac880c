import type { ApiKeyStore } from '../store.ts';
import type { ApiKey } from './api-key.ts';

/** A key is used without asking the database only while the revocations were asked for within this time. */
export const REVOCATIONS_FRESH_MS = 900;
/** How often the revocations are asked for. One question may be lost before the keys are asked for again. */
export const REVOCATIONS_INTERVAL_MS = 500;
/** A kept key is read again after this time in any case. */
const KEPT_MS = 60_000;
const MAX_KEPT = 10_000;

interface KeptKey {
  key: ApiKey;
  readAtMs: number;
}

/**
 * Keeps the keys that were looked up, as long as it hears what was revoked: on every instance, a revoked key
 * is refused within REVOCATIONS_FRESH_MS, whether or not the database could be asked meanwhile.
 */
export class KeyCache {
  readonly #store: Pick<ApiKeyStore, 'findApiKey' | 'listRecentlyRevoked'>;
  readonly #monotonicMs: () => number;
  readonly #kept = new Map<string, KeptKey>();
  #revoked: ReadonlySet<string> = new Set();
  /** When the question began that the last answer belongs to. */
  #heardAtMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<ApiKeyStore, 'findApiKey' | 'listRecentlyRevoked'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
  }

  /** Asks what was revoked. To be called every REVOCATIONS_INTERVAL_MS; without it, every key is looked up. */
  async refresh(): Promise<void> {
    const beganAtMs = this.#monotonicMs();
    const revoked = await this.#store.listRecentlyRevoked();
    // An answer that was overtaken by a later one tells less.
    if (beganAtMs < this.#heardAtMs) return;
    this.#revoked = new Set(revoked);
    this.#heardAtMs = beganAtMs;
  }

  /**
   * The key with a hash, as ApiKeyStore.findApiKey: at once where it is kept, without a turn through a promise.
   * Entries without an expiry are always current; others may be read again first.
   *
   * `beforeUnknown` is called before the store is queried for a key that is not cached, and throws to prevent it.
   */
  find(hash: string, beforeUnknown = () => {}): ApiKey | undefined | Promise<ApiKey | undefined> {
    const nowMs = this.#monotonicMs();
    const kept = this.#kept.get(hash);
    if (kept !== undefined && this.#isTrusted(kept, nowMs)) return kept.key;
    if (kept === undefined) beforeUnknown();
    return this.#lookUp(hash, nowMs);
  }

  async #lookUp(hash: string, nowMs: number): Promise<ApiKey | undefined> {
    const key = await this.#store.findApiKey(hash);
    this.#kept.delete(hash);
    if (key !== undefined && key.revokedAtMs === null) this.#keep(hash, { key, readAtMs: nowMs });
    return key;
  }

  #isTrusted({ key, readAtMs }: KeptKey, nowMs: number): boolean {
    return (
      nowMs - this.#heardAtMs < REVOCATIONS_FRESH_MS &&
      nowMs - readAtMs < KEPT_MS &&
      !this.#revoked.has(key.id)
    );
  }

  #keep(hash: string, kept: KeptKey): void {
    if (this.#kept.size >= MAX_KEPT) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    this.#kept.set(hash, kept);
  }
}
