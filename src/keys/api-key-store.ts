import type { AuditEntry } from '../audit/audit.ts';
import type { ApiKey } from './api-key.ts';

/** Each change of a key writes its entry in the audit trail in the same transaction of the database, if it changes something. */
export interface ApiKeyStore {
  createApiKey(key: ApiKey, entry: AuditEntry): Promise<void>;
  /** The key with a hash, even if it is revoked or expired, or undefined. */
  findApiKey(hash: string): Promise<ApiKey | undefined>;
  /** The key with an id, even if it is revoked or expired, or undefined. */
  retrieveApiKey(id: string): Promise<ApiKey | undefined>;
  /**
   * The first keys of an account after a place, or of all accounts, at most `limit`: by account in the order of bytes, of an account
   * oldest first. Null is before the first one.
   */
  listApiKeys(account: string | null, after: ApiKeyPlace | null, limit: number): Promise<ApiKey[]>;
  /** Revokes a key, unless it is revoked already, and returns it. Undefined if no key has this id. */
  revokeApiKey(id: string, nowMs: number, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * Stores the new key of a roll, and lowers the expiry of the old one to at most `untilMs`, in one transaction of the database. Returns
   * the old key then. Undefined, with nothing stored, if the account has no such key, or it is revoked or expired.
   */
  rollApiKey(roll: KeyRoll, entry: AuditEntry): Promise<ApiKey | undefined>;
  /**
   * An end, and those that were recorded after it, in the order in which they became visible, at most KEY_ENDS_PAGE. With null, those of
   * the last KEY_ENDS_WINDOW_MS, by the clock of the database, or the last one if it is older.
   */
  listKeyEnds(fromRecordedAtMs: number | null): Promise<KeyEnd[]>;
  /** Stores when keys were last used. A time at most KEY_USES_DIFFER_MS before the stored one changes nothing. */
  touchApiKeys(uses: readonly ApiKeyUse[]): Promise<void>;
}

/** Where a key is in the list of keys. */
export type ApiKeyPlace = Pick<ApiKey, 'account' | 'createdAtMs' | 'id'>;

/** Before the first key. */
export const FIRST_API_KEY_PLACE: ApiKeyPlace = { account: '', createdAtMs: Number.MIN_SAFE_INTEGER, id: '' };

/** The secret that seals cursors if no setting does. */
export interface CursorSecretStore {
  /** Stores `proposed` unless a secret is stored, and returns the stored secret. */
  storeCursorSecret(proposed: string): Promise<string>;
}

/** A key is replaced by a new one, and ends a while later. */
export interface KeyRoll {
  /** The account of the old key. */
  account: string;
  id: string;
  /** Null only lowers the expiry of the old one. */
  created: ApiKey | null;
  untilMs: number;
  nowMs: number;
}

/** The end of a key that was revoked or rolled. */
export interface KeyEnd extends Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'> {
  id: string;
  /** When the end was recorded, by the clock of the database. It is later than those of all other keys there were then. */
  recordedAtMs: number;
}

/** The most ends of one call of listKeyEnds. */
export const KEY_ENDS_PAGE = 500;
/** Far longer than a key is cached, because the clocks of machines differ. */
export const KEY_ENDS_WINDOW_MS = 300_000;

/** How long the end of a key can be read at least, also if its account is erased. */
export const KEY_ENDS_KEPT_MS = 5000;

/** Instances store uses some seconds apart, by clocks that differ. A stored use that is later than that is by a clock that was ahead. */
export const KEY_USES_DIFFER_MS = 3_600_000;

export interface ApiKeyUse {
  account: string;
  id: string;
  usedAtMs: number;
}
