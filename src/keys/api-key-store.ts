import type { AuditEntry } from '../audit/audit.ts';
import type { ApiKey, Session } from './api-key.ts';

/**
 * Each change of a key writes its entry in the audit trail in the same transaction of the database, if it
 * changes something.
 */
export interface ApiKeyStore {
  createApiKey(key: ApiKey, entry: AuditEntry): Promise<void>;
  /**
   * The key or the session with a hash, even if it is revoked or expired, or undefined. A session ends with
   * the key that made it.
   */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  /** The key or the session with an id, as findApiKey returns it. */
  retrieveApiKey(id: string): Promise<ApiKey | undefined>;
  /**
   * Replaces the code of a session by its key. Returns false and changes nothing if no session has this code,
   * the code has expired, or the session has ended. Of several calls with one code, one returns true.
   */
  openSession(opening: SessionOpening, entry: AuditEntry): Promise<boolean>;
  /**
   * The first sessions after a position, newest first, as findApiKey returns them: the sessions of an
   * account, of one person in an account, or of a person in all accounts.
   */
  listSessions(
    query: SessionQuery | PersonQuery,
    after: SessionPosition | null,
    limit: number,
  ): Promise<Session[]>;
  /**
   * Ends sessions, in one transaction of the database: all of a person, or at most SESSIONS_AT_ONCE without a
   * person or an id. Returns the ids of those that had not ended. Expired sessions are ended too: by the
   * clock of another process they may be valid.
   */
  endSessions(end: SessionsEnd, entry: AuditEntry): Promise<string[]>;
  /** Removes sessions that expired before a time, at most SESSIONS_AT_ONCE. Returns how many. */
  removeExpiredSessions(beforeMs: number): Promise<number>;
  /**
   * The first keys after a position, of one or of all accounts, without sessions, at most `limit`. Accounts
   * come in the order of bytes, and the keys of an account oldest first. Null is before the first key.
   */
  listApiKeys(account: string | null, after: ApiKeyPosition | null, limit: number): Promise<ApiKey[]>;
  /** Revokes a key, unless it is revoked already, and returns it. Undefined if no key has this id. */
  revokeApiKey(id: string, nowMs: number, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * Stores the new key of a roll, and lowers the expiry of the old one to at most `untilMs`, in one
   * transaction of the database. Returns the changed old key. Without a grace the old key is revoked, so that
   * processes whose clocks are behind refuse it too. Returns undefined and stores nothing if the account has
   * no such key, or the key is revoked.
   */
  rollApiKey(roll: KeyRoll, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * The given end and those recorded after it, in the order in which they became visible, at most
   * KEY_ENDS_PAGE. For null, the ends of the last KEY_ENDS_WINDOW_MS by the database's clock, or only the
   * last end if all are older.
   */
  listKeyEnds(fromRecordedAtMs: number | null): Promise<KeyEnd[]>;
  /** Stores when keys were last used. A time at most KEY_USES_DIFFER_MS before the stored one is ignored. */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

type ApiKeyPosition = Pick<ApiKey, 'account' | 'createdAtMs' | 'id'>;

interface SessionOpening extends Pick<ApiKey, 'hash' | 'keyStart'> {
  codeHash: string;
  nowMs: number;
}

export interface SessionQuery {
  account: string;
  /** Null for everybody. */
  person: string | null;
}

export interface PersonQuery {
  account: null;
  person: string;
}

export type SessionPosition = Pick<ApiKey, 'createdAtMs' | 'id'>;

export const FIRST_SESSION_POSITION: SessionPosition = { createdAtMs: Number.MAX_SAFE_INTEGER, id: '' };

/** The sessions to end: one session, those of a person, all of an account, or all of every account. */
export interface SessionsEnd extends Omit<SessionQuery, 'account'> {
  /** Null for every account, after a restore. */
  account: string | null;
  /** Null for all. */
  id: string | null;
  nowMs: number;
}

/** The most sessions that one transaction of the database ends or removes, because recordings wait for it. */
export const SESSIONS_AT_ONCE = 500;

export const FIRST_API_KEY_POSITION: ApiKeyPosition = {
  account: '',
  createdAtMs: Number.MIN_SAFE_INTEGER,
  id: '',
};

/** The secret that seals cursors if no setting does. */
export interface CursorSecretStore {
  /** Stores `proposed` unless a secret is stored, and returns the stored secret. */
  storeCursorSecret(proposed: string): Promise<string>;
}

/** The replacement of a key: a new key, and the time until which the old one is accepted. */
export interface KeyRoll {
  account: string;
  id: string;
  /** The new key. If null, the roll only lowers the expiry of the old one. */
  created: ApiKey | null;
  untilMs: number;
  nowMs: number;
}

/** The end of a key that was revoked or rolled, or of a session that was ended. */
export interface KeyEnd extends Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'> {
  id: string;
  /** When the end was recorded, by the database's clock: later than those of all other keys existing then. */
  recordedAtMs: number;
}

export const KEY_ENDS_PAGE = 500;
/** Far longer than a key is cached, because the clocks of machines differ. */
export const KEY_ENDS_WINDOW_MS = 300_000;

/** The end of a key can be read for at least this time, even if its account is erased. */
export const KEY_ENDS_KEPT_MS = 5000;

/**
 * Instances store uses some seconds apart, and their clocks differ. If a stored use is later than a new one
 * by more than this, the clock that wrote it was ahead.
 */
export const KEY_USES_DIFFER_MS = 3_600_000;

export interface ApiKeyUse {
  account: string;
  id: string;
  usedAtMs: number;
}
