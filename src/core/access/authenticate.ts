import type { ApiKeyStore, ApiKeyUse } from '../store.ts';
import {
  type ApiKey,
  hashApiKey,
  isUsable,
  isWellFormedApiKey,
  type KeyKind,
  OPERATOR_ACCOUNT,
} from './api-key.ts';
import type { KeyCache } from './key-cache.ts';

/** Who asks: the account that a key opens. */
export interface Caller {
  account: string;
  keyId: string;
}

/**
 * The caller that an API key stands for, or undefined for a misspelt, unknown, revoked or expired one, and for
 * one of the other kind.
 *
 * A misspelt key is refused by its checksum, before it is looked up; whether it has expired is asked at every use.
 * The answer is there at once where the key is kept.
 */
export function authenticate(
  keys: Pick<KeyCache, 'find'>,
  key: string,
  nowMs: number,
  kind: KeyKind = 'account',
): Caller | undefined | Promise<Caller | undefined> {
  if (!isWellFormedApiKey(key, kind)) return undefined;
  const found = keys.find(hashApiKey(key));
  if (found instanceof Promise) return found.then((key) => callerWith(key, nowMs, kind));
  return callerWith(found, nowMs, kind);
}

function callerWith(key: ApiKey | undefined, nowMs: number, kind: KeyKind): Caller | undefined {
  if (key === undefined || !isUsable(key, nowMs)) return undefined;
  if ((key.account === OPERATOR_ACCOUNT) !== (kind === 'operator')) return undefined;
  return { account: key.account, keyId: key.id };
}

/** Gathers when keys were last used, so that a request never waits for a write. */
export class ApiKeyUses {
  #uses = new Map<string, ApiKeyUse>();

  note({ account, keyId }: Caller, usedAtMs: number): void {
    const use = this.#uses.get(keyId);
    if (use === undefined) this.#uses.set(keyId, { account, id: keyId, usedAtMs });
    else use.usedAtMs = Math.max(use.usedAtMs, usedAtMs);
  }

  /** Hands the gathered uses to the store, and keeps them where it can't take them now. */
  async flush(store: Pick<ApiKeyStore, 'touchApiKeys'>): Promise<void> {
    if (this.#uses.size === 0) return;
    const flushed = this.#uses;
    this.#uses = new Map();
    try {
      await store.touchApiKeys([...flushed.values()]);
    } catch (error) {
      // Noted anew, so that of a use before and one meanwhile the later stays, whichever way the clock was set.
      for (const { account, id, usedAtMs } of flushed.values()) this.note({ account, keyId: id }, usedAtMs);
      throw error;
    }
  }
}
