import type { Caller } from '../../values/caller.ts';
import type { KeyKind } from '../../values/scopes.ts';
import { type ApiKey, earlier, hashApiKey, isUsable, isWellFormedApiKey, kindOfAccount } from './api-key.ts';
import type { ApiKeyStore, ApiKeyUse } from './api-key-store.ts';
import { endsOf, type KeyCache } from './key-cache.ts';

/**
 * The caller of an API key, or undefined if the key is misspelt, unknown, revoked, expired or of another kind.
 *
 * A misspelt key is refused by its checksum, without a lookup. Expiry is checked at every use. The result is a promise
 * only if the key is not cached.
 */
export function authenticate(
  keys: Pick<KeyCache, 'find'>,
  key: string,
  nowMs: number,
  kind: KeyKind = 'account',
): Caller | undefined | Promise<Caller | undefined> {
  return isWellFormedApiKey(key, kind) ? callerOfHash(keys, hashApiKey(key), nowMs, kind) : undefined;
}

/** The caller of the key with a hash, as `authenticate`. */
export function callerOfHash(
  keys: Pick<KeyCache, 'find'>,
  hash: string,
  nowMs: number,
  kind: KeyKind,
): Caller | undefined | Promise<Caller | undefined> {
  const found = keys.find(hash);
  if (found instanceof Promise) return found.then((key) => callerWith(key, nowMs, kind));
  return callerWith(found, nowMs, kind);
}

function callerWith(key: ApiKey | undefined, nowMs: number, kind: KeyKind): Caller | undefined {
  if (key === undefined || !isUsable(key, nowMs)) return undefined;
  if (kindOfAccount(key.account) !== kind) return undefined;
  const { account, id, hash, expiresAtMs, scopes, accountPrefix, session } = key;
  const { person = null, madeBy = null } = session ?? {};
  return { account, keyId: id, keyHash: hash, person, madeBy, expiresAtMs, scopes, accountPrefix };
}

/**
 * Whether the key of a caller that was admitted before is still accepted, as far as is known without a query. The keys must be
 * refreshed at their interval. Call it at least once in KEY_ENDS_WINDOW_MS: it notes the end of a rolled key in the caller, because
 * the end can come long after it is listed.
 */
export function isStillAdmitted(keys: Pick<KeyCache, 'endOf'>, caller: Caller, nowMs: number): boolean {
  const ends = endsOf(keys, caller.keyId, caller.madeBy);
  for (const end of ends) caller.expiresAtMs = earlier(caller.expiresAtMs, end.expiresAtMs);
  return ends.every((end) => end.revokedAtMs === null) && isUsable({ revokedAtMs: null, ...caller }, nowMs);
}

/** Collects the times when keys were last used, so that no request waits for a write. */
export class ApiKeyUses {
  #uses = new Map<string, ApiKeyUse>();

  note({ account, keyId }: Pick<Caller, 'account' | 'keyId'>, usedAtMs: number): void {
    const use = this.#uses.get(keyId);
    if (use === undefined) this.#uses.set(keyId, { account, id: keyId, usedAtMs });
    else use.usedAtMs = Math.max(use.usedAtMs, usedAtMs);
  }

  /** Writes the collected uses to the store. If that fails, they stay collected for the next call. */
  async flush(store: Pick<ApiKeyStore, 'touchApiKeys'>): Promise<void> {
    if (this.#uses.size === 0) return;
    const flushed = this.#uses;
    this.#uses = new Map();
    try {
      await store.touchApiKeys([...flushed.values()]);
    } catch (error) {
      // `note` keeps the later of two times, also if a use was noted while the write failed.
      for (const { account, id, usedAtMs } of flushed.values()) this.note({ account, keyId: id }, usedAtMs);
      throw error;
    }
  }
}
