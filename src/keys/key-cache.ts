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

/**
 * The last known key end, with which the next query of key ends begins. A key ends when it is revoked, or
 * when a rolled key or a session ends.
 */
interface LastEnd {
  id: string | null;
  recordedAtMs: number;
}

/**
 * A cached key is used only if a query began less than this time ago, and succeeded: a query of the key ends,
 * or of the key itself.
 */
export const KEY_ENDS_FRESH_MS = 900;
export const KEY_ENDS_INTERVAL_MS = 500;
/** How long a cached key is used before it is looked up again in any case. */
const MAX_AGE_MS = 60_000;
const MAX_ENTRIES = 10_000;
/** How many ends can be known before those older than KEY_ENDS_WINDOW_MS are dropped. */
export const MAX_KNOWN_ENDS = 1000;
/**
 * For how long requests share a look-up. Later requests do not, so that a look-up that hangs does not delay
 * them. After two failures, a key is looked up only once in this time.
 */
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

/**
 * Caches keys that were found, and the ends of revoked and rolled keys. Every instance refuses a revoked key
 * within KEY_ENDS_FRESH_MS, and a rolled key from its end on, even if the database cannot be reached. While a
 * query of the ends is late, requests share one look-up of a key.
 */
export class KeyCache {
  readonly #store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>;
  readonly #monotonicMs: () => number;
  readonly #entries = new Map<string, CacheEntry>();
  /** The look-ups in flight and the failed look-ups, by the hash of their key. */
  readonly #lookUps = new Map<string, LookUp>();
  /** The known ends by key id, in the order in which they were read. */
  readonly #ends = new Map<string, KnownEnd>();
  /** The last known end of a key. If null, the next refresh reads the whole window. */
  #last: LastEnd | null = null;
  /** When the last successful query of the ends began. */
  #endsAsOfMs = Number.NEGATIVE_INFINITY;
  /**
   * Keys that were read before this time are looked up again, because the database can have lost an end that
   * this process has not read.
   */
  #usableFromMs = Number.NEGATIVE_INFINITY;

  constructor(store: Pick<ApiKeyStore, 'findApiKey' | 'listKeyEnds'>, monotonicMs: () => number) {
    this.#store = store;
    this.#monotonicMs = monotonicMs;
  }

  /** Reads new key ends. Call it every KEY_ENDS_INTERVAL_MS. Without it, every request looks up its key. */
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
      for (const end of ends) this.#note(end, { readAtMs: beganAtMs, isOrdered: last !== null });
      // Set after each page, so that a refresh that begins meanwhile continues from here.
      this.#last = ends.at(-1) ?? last ?? { id: null, recordedAtMs: 0 };
      isLast = ends.length < KEY_ENDS_PAGE;
    }
    const endedAtMs = this.#monotonicMs();
    if (!isContinued || endedAtMs - this.#endsAsOfMs > KEY_ENDS_KEPT_MS) this.#usableFromMs = endedAtMs;
    this.#endsAsOfMs = Math.max(this.#endsAsOfMs, beganAtMs);
    this.#forgetOld(beganAtMs);
  }

  /**
   * Call when this process has revoked or rolled a key. The key stays refused even if the database loses its
   * end.
   */
  noteEnded({ id, revokedAtMs, expiresAtMs }: Omit<KeyEnd, 'recordedAtMs'>): void {
    const end = { id, revokedAtMs, expiresAtMs, recordedAtMs: 0 };
    this.#note(end, { readAtMs: this.#monotonicMs(), isOrdered: false });
  }

  knownEnds(): KeyEnd[] {
    return [...this.#ends.values()].map(({ end }) => end);
  }

  /**
   * Stores an end. With `isOrdered`, ignores an end that is not newer than the known one, because queries can
   * return out of order. The times of a different database cannot be compared. An end is never undone,
   * because a database without it has lost it.
   */
  #note(end: KeyEnd, { readAtMs, isOrdered }: { readAtMs: number; isOrdered: boolean }): void {
    const known = this.#ends.get(end.id)?.end;
    if (isOrdered && known !== undefined && end.recordedAtMs <= known.recordedAtMs) return;
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

  /**
   * Finds a key by its hash, like ApiKeyStore.findApiKey. Returns a promise only if the store is queried.
   *
   * Calls `beforeUnknown` before the store is queried for a key that is not cached. If `beforeUnknown`
   * throws, the store is not queried.
   *
   * A new key works at once, because a look-up that began before this call counts only if it found the key.
   */
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
      // After a slow failure, another query would take as long again. After a quick failure, only the
      // connection may be broken, and another connection may work.
      if (isRetry || this.#monotonicMs() - beganAtMs >= LOOK_UP_SHARED_MS) throw error;
    });
    if (key !== undefined && this.#isLastState({ key, readAtMs: beganAtMs })) return key;
    if (!this.#entries.has(hash)) beforeUnknown();
    // The second look-up began after all requests that shared the first look-up had arrived, so its result
    // counts for each of them.
    const next = this.#lookUps.get(hash);
    return next === undefined || next === begun
      ? this.#lookUp(hash, this.#monotonicMs(), begun.hasFailed)
      : next.result;
  }

  /**
   * The known end of a key that was accepted shortly before. Undefined if the key was not revoked or rolled
   * recently. Makes no query.
   */
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

  /** Applies the known ends to a key that was read, because the database can have lost them. */
  #withKnownEnds(found: ApiKey): ApiKey {
    let key = found;
    for (const end of endsOf(this, key.id, key.session?.madeBy ?? null))
      key = { ...key, ...earlierEnd(key, end) };
    return key;
  }

  #isCurrent(entry: CacheEntry, nowMs: number): boolean {
    if (nowMs - entry.readAtMs >= MAX_AGE_MS) return false;
    // If no query of the ends has ever succeeded, every request looks up its key.
    const asOfMs =
      this.#endsAsOfMs === Number.NEGATIVE_INFINITY
        ? this.#endsAsOfMs
        : Math.max(this.#endsAsOfMs, entry.readAtMs);
    return nowMs - asOfMs < KEY_ENDS_FRESH_MS && this.#isLastState(entry);
  }

  /** True if no known end shows that a key has changed since it was read. */
  #isLastState({ key, readAtMs }: CacheEntry): boolean {
    if (readAtMs < this.#usableFromMs) return false;
    // A key that ends later than a known end was read before that end was recorded.
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

/** Removes the oldest entry of a full map. */
function makeRoom(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (oldest !== undefined && entries.size >= MAX_ENTRIES) entries.delete(oldest);
}

/**
 * True if the listed ends are all ends after the last known one. Each end is recorded later than all existing
 * ends, so this is true while the database has the key of the last known end. That key is gone if its account
 * was erased, or if a standby without the key was promoted. Then further ends can have earlier times.
 */
const containsLast = (ends: readonly KeyEnd[], last: LastEnd): boolean =>
  last.id === null || ends.some(({ id }) => id === last.id);

const earlierEnd = (
  one: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  other: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
) => ({
  revokedAtMs: one.revokedAtMs ?? other.revokedAtMs,
  expiresAtMs: earlier(one.expiresAtMs, other.expiresAtMs),
});

/** The known ends of a key and, for a session, of the operator's key with which the session ends. */
export const endsOf = (keys: Pick<KeyCache, 'endOf'>, id: string, madeBy: string | null): KeyEnd[] =>
  [id, madeBy].flatMap((key) => (key === null ? [] : (keys.endOf(key) ?? [])));

/**
 * The caller of an API key. Undefined if the key is misspelt, unknown, revoked, expired or of the wrong kind.
 *
 * The checksum refuses a misspelt key without a lookup. Expiry is checked at every use. The result is a
 * promise only if the key is not cached.
 */
export function authenticate(
  keys: Pick<KeyCache, 'find'>,
  key: string,
  nowMs: number,
  kind: KeyKind = 'account',
): Caller | undefined | Promise<Caller | undefined> {
  return isWellFormedApiKey(key, kind) ? callerOfHash(keys, hashApiKey(key), nowMs, kind) : undefined;
}

/** As `authenticate`, for a key with this hash. */
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
 * True if the key of an admitted caller is still accepted, as far as is known without a query. The keys must
 * be refreshed at their interval. Call it at least once in KEY_ENDS_WINDOW_MS: it stores the end of a rolled
 * key in the caller, because a rolled key can end long after its end is listed.
 */
export function isStillAdmitted(keys: Pick<KeyCache, 'endOf'>, caller: Caller, nowMs: number): boolean {
  const ends = endsOf(keys, caller.keyId, caller.madeBy);
  for (const end of ends) caller.expiresAtMs = earlier(caller.expiresAtMs, end.expiresAtMs);
  return ends.every((end) => end.revokedAtMs === null) && isUsable({ revokedAtMs: null, ...caller }, nowMs);
}

/** Collects when keys were last used, so that no request waits for a write. */
export class ApiKeyUses {
  #uses = new Map<string, ApiKeyUse>();

  note({ account, keyId }: Pick<Caller, 'account' | 'keyId'>, usedAtMs: number): void {
    const use = this.#uses.get(keyId);
    if (use === undefined) this.#uses.set(keyId, { account, id: keyId, usedAtMs });
    else use.usedAtMs = Math.max(use.usedAtMs, usedAtMs);
  }

  /** Writes the collected uses to the store. If the write fails, they stay collected for the next call. */
  async flush(store: Pick<ApiKeyStore, 'touchApiKeys'>): Promise<void> {
    if (this.#uses.size === 0) return;
    const flushed = this.#uses;
    this.#uses = new Map();
    try {
      await store.touchApiKeys([...flushed.values()]);
    } catch (error) {
      // `note` keeps the later of two times, even for a use that was noted while the write failed.
      for (const { account, id, usedAtMs } of flushed.values()) this.note({ account, keyId: id }, usedAtMs);
      throw error;
    }
  }
}
