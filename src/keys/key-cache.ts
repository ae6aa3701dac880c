import type { Caller } from '../../values/caller.ts';
import type { KeyKind } from '../../values/scopes.ts';
import { type ApiKey, earlier, hashApiKey, isUsable, isWellFormedApiKey, kindOfAccount } from './api-key.ts';
import {
  type ApiKeyStore,
  type ApiKeyUse,
  KEY_ENDS_KEPT_MS,
  KEY_ENDS_PAGE,
  KEY_ENDS_WINDOW_MS,
  type KeyEnd,
} from './keys.ts';

interface LastEnd {
  id: string | null;
  recordedAtMs: number;
}

/** A cached key is used only if the key itself or the revocations were read at most this long ago. */
export const KEY_ENDS_FRESH_MS = 900;
export const KEY_ENDS_INTERVAL_MS = 500;
const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** Up to this many revocations are remembered, even if they are older than KEY_ENDS_WINDOW_MS. */
export const MAX_KNOWN_ENDS = 1000;
/** Requests do not share a look-up that began longer ago than this, because an old look-up may hang. */
export const LOOK_UP_SHARED_MS = 100;

interface KnownEnd {
  end: KeyEnd;
  readAtMs: number;
}

interface CacheEntry {
  key: ApiKey;
  readAtMs: number;
}

interface LookUp {
  result: Promise<ApiKey | undefined>;
  beganAtMs: number;
  isRetry: boolean;
  hasFailed: boolean;
}

/** Even if the database is unavailable, every instance refuses a revoked key within KEY_ENDS_FRESH_MS. */
export class KeyCache {
  readonly #store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>;
  readonly #monotonicMs: () => number;
  readonly #entries = new Map<string, CacheEntry>();
  readonly #lookUps = new Map<string, LookUp>();
  readonly #ends = new Map<string, KnownEnd>();
  /** The last revocation that `refresh` has read. Null until the first read, and after a failover. */
  #last: LastEnd | null = null;
  #endsAsOfMs = Number.NEGATIVE_INFINITY;
  /** Keys that were read before this time are looked up again, because a revocation may have been missed. */
  #usableFromMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
  }

  /** Call this every KEY_ENDS_INTERVAL_MS. Otherwise, every request looks up its key. */
  async refresh(): Promise<void> {
    const beganAtMs = this.#monotonicMs();
    let isContinued = true;
    for (let isLast = false; !isLast; ) {
      const last = this.#last;
      const ends = await this.#store.listKeyEnds(last?.recordedAtMs ?? null);
      if (last !== null && !containsLast(ends, last)) {
        isContinued = false;
        this.#last = null;
        continue;
      }
      for (const end of ends) this.#note(end, { readAtMs: beganAtMs, canCompareTimes: last !== null });
      // Stored after each page, because another refresh begins if this one takes too long.
      this.#last = ends.at(-1) ?? last ?? { id: null, recordedAtMs: 0 };
      isLast = ends.length < KEY_ENDS_PAGE;
    }
    const endedAtMs = this.#monotonicMs();
    if (!isContinued || endedAtMs - this.#endsAsOfMs > KEY_ENDS_KEPT_MS) this.#usableFromMs = endedAtMs;
    this.#endsAsOfMs = Math.max(this.#endsAsOfMs, beganAtMs);
    this.#forgetOld(beganAtMs);
  }

  /** Remembers a revocation that this process stored, even if the database loses it. */
  noteEnded({ id, revokedAtMs, expiresAtMs }: Omit<KeyEnd, 'recordedAtMs'>): void {
    const end = { id, revokedAtMs, expiresAtMs, recordedAtMs: 0 };
    this.#note(end, { readAtMs: this.#monotonicMs(), canCompareTimes: false });
  }

  knownEnds(): KeyEnd[] {
    return [...this.#ends.values()].map(({ end }) => end);
  }

  /** Stores how a key ended. Never undoes a known revocation, and never makes a known expiry later. */
  #note(end: KeyEnd, { readAtMs, canCompareTimes }: { readAtMs: number; canCompareTimes: boolean }): void {
    const known = this.#ends.get(end.id)?.end;
    // After a failover, times are not compared: the new server's clock may be behind.
    if (canCompareTimes && known !== undefined && end.recordedAtMs <= known.recordedAtMs) return;
    this.#ends.delete(end.id);
    this.#ends.set(end.id, {
      end: known === undefined ? end : { ...end, ...earlierEnd(end, known) },
      readAtMs,
    });
  }

  #forgetOld(nowMs: number): void {
    for (const [id, { readAtMs }] of this.#ends) {
      if (nowMs - readAtMs < KEY_ENDS_WINDOW_MS || this.#ends.size <= MAX_KNOWN_ENDS) return;
      this.#ends.delete(id);
    }
  }

  /** If the key is not cached, calls `beforeUnknown`, which can throw to prevent the query. */
  find(hash: string, beforeUnknown = () => {}): ApiKey | undefined | Promise<ApiKey | undefined> {
    const nowMs = this.#monotonicMs();
    const entry = this.#entries.get(hash);
    if (entry !== undefined && this.#isCurrent(entry, nowMs)) return entry.key;
    const begun = this.#lookUps.get(hash);
    if (begun !== undefined && nowMs - begun.beganAtMs < LOOK_UP_SHARED_MS)
      return this.#share(begun, hash, beforeUnknown);
    if (entry === undefined) beforeUnknown();
    return this.#lookUp(hash, nowMs, begun?.hasFailed);
  }

  async #share(begun: LookUp, hash: string, beforeUnknown: () => void): Promise<ApiKey | undefined> {
    const { result, beganAtMs, isRetry } = begun;
    const key = await result.catch((error) => {
      // A retry may use a connection that works. But after a slow failure, a retry would take too long.
      if (isRetry || this.#monotonicMs() - beganAtMs >= LOOK_UP_SHARED_MS) throw error;
    });
    if (key !== undefined && this.#isLastState({ key, readAtMs: beganAtMs })) return key;
    if (!this.#entries.has(hash)) beforeUnknown();
    // `begun` failed, or may have read the key before it was made or revoked. All requests that waited for
    // `begun` share the next look-up.
    const next = this.#lookUps.get(hash);
    return next === undefined || next === begun
      ? this.#lookUp(hash, this.#monotonicMs(), begun.hasFailed)
      : next.result;
  }

  endOf(id: string): KeyEnd | undefined {
    return this.#ends.get(id)?.end;
  }

  #lookUp(hash: string, beganAtMs: number, isRetry = false): Promise<ApiKey | undefined> {
    const begun: LookUp = { result: this.#query(hash, beganAtMs), beganAtMs, isRetry, hasFailed: false };
    this.#lookUps.delete(hash);
    makeRoom(this.#lookUps);
    this.#lookUps.set(hash, begun);
    const forget = () => {
      if (this.#lookUps.get(hash) === begun) this.#lookUps.delete(hash);
    };
    begun.result.then(forget, () => {
      begun.hasFailed = true;
    });
    return begun.result;
  }

  async #query(hash: string, beganAtMs: number): Promise<ApiKey | undefined> {
    const found = await this.#store.findApiKey(hash);
    const key = found && this.#withKnownEnds(found);
    this.#entries.delete(hash);
    if (key !== undefined && key.revokedAtMs === null) this.#add(hash, { key, readAtMs: beganAtMs });
    return key;
  }

  /** A failover can lose revocations that this process has read, so they are applied to `found`. */
  #withKnownEnds(found: ApiKey): ApiKey {
    let key = found;
    for (const end of endsOf(this, key.id, key.session?.madeBy ?? null))
      key = { ...key, ...earlierEnd(key, end) };
    return key;
  }

  #isCurrent(entry: CacheEntry, nowMs: number): boolean {
    if (nowMs - entry.readAtMs >= MAX_AGE_MS) return false;
    const hasRefreshed = Number.isFinite(this.#endsAsOfMs);
    if (!hasRefreshed) return false;
    const asOfMs = Math.max(this.#endsAsOfMs, entry.readAtMs);
    return nowMs - asOfMs < KEY_ENDS_FRESH_MS && this.#isLastState(entry);
  }

  #isLastState({ key, readAtMs }: CacheEntry): boolean {
    if (readAtMs < this.#usableFromMs) return false;
    return endsOf(this, key.id, key.session?.madeBy ?? null).every(
      ({ revokedAtMs, expiresAtMs }) =>
        revokedAtMs === null && earlier(key.expiresAtMs, expiresAtMs) === key.expiresAtMs,
    );
  }

  #add(hash: string, entry: CacheEntry): void {
    makeRoom(this.#entries);
    this.#entries.set(hash, entry);
  }
}

function makeRoom(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= MAX_ENTRIES) entries.delete(oldest);
}

/** `ends` was read from `last` on, so `ends` contains `last`, unless a failover lost that revocation. */
const containsLast = (ends: readonly KeyEnd[], last: LastEnd): boolean =>
  last.id === null || ends.some(({ id }) => id === last.id);

const earlierEnd = (
  one: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  other: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
) => ({
  revokedAtMs: one.revokedAtMs ?? other.revokedAtMs,
  expiresAtMs: earlier(one.expiresAtMs, other.expiresAtMs),
});

export const endsOf = (keys: Pick<KeyCache, 'endOf'>, id: string, madeBy: string | null): KeyEnd[] =>
  [id, madeBy].flatMap((key) => (key === null ? [] : (keys.endOf(key) ?? [])));

export function authenticate(
  keys: Pick<KeyCache, 'find'>,
  key: string,
  nowMs: number,
  kind: KeyKind = 'account',
): Caller | undefined | Promise<Caller | undefined> {
  return isWellFormedApiKey(key, kind) ? callerOfHash(keys, hashApiKey(key), nowMs, kind) : undefined;
}

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
 * Call this at least every KEY_ENDS_WINDOW_MS, because the cache forgets older revocations. Stores the expiry
 * of a rolled key in `caller`, because the cache forgets that too.
 */
export function isStillAdmitted(keys: Pick<KeyCache, 'endOf'>, caller: Caller, nowMs: number): boolean {
  const ends = endsOf(keys, caller.keyId, caller.madeBy);
  for (const end of ends) caller.expiresAtMs = earlier(caller.expiresAtMs, end.expiresAtMs);
  return ends.every((end) => end.revokedAtMs === null) && isUsable({ revokedAtMs: null, ...caller }, nowMs);
}

export class ApiKeyUses {
  #uses = new Map<string, ApiKeyUse>();

  note({ account, keyId }: Pick<Caller, 'account' | 'keyId'>, usedAtMs: number): void {
    const use = this.#uses.get(keyId);
    if (use === undefined) this.#uses.set(keyId, { account, id: keyId, usedAtMs });
    else use.usedAtMs = Math.max(use.usedAtMs, usedAtMs);
  }

  async flush(store: Pick<ApiKeyStore, 'touchApiKeys'>): Promise<void> {
    if (this.#uses.size === 0) return;
    const flushed = this.#uses;
    this.#uses = new Map();
    try {
      await store.touchApiKeys([...flushed.values()]);
    } catch (error) {
      // `note` keeps the later of two times, so uses that were noted during the failed write are not lost.
      for (const { account, id, usedAtMs } of flushed.values()) this.note({ account, keyId: id }, usedAtMs);
      throw error;
    }
  }
}
