import type { Scope } from './scopes.ts';

/** The `account` of an operator's key. No account can have this name. */
export const OPERATOR_ACCOUNT = '*';

/**
 * The prefixes of keys of accounts, operators and sessions, and of the codes that are exchanged for keys of
 * sessions.
 */
export const API_KEY_PREFIX = 'tk_live_';
export const OPERATOR_KEY_PREFIX = 'tk_operator_';
export const SESSION_KEY_PREFIX = 'ts_live_';
export const SESSION_CODE_PREFIX = 'ts_code_';
export const SECRET_PREFIXES = [
  API_KEY_PREFIX,
  OPERATOR_KEY_PREFIX,
  SESSION_KEY_PREFIX,
  SESSION_CODE_PREFIX,
] as const;

/** The sender of a request, by its key: an account or the operator. */
export interface Caller {
  account: string;
  keyId: string;
  /** The person of a session; null for a key. It is never logged. */
  person: string | null;
  /** The id of the operator's key that made a session; null for a key, and for a session of a command. */
  madeBy: string | null;
  /** The hash by which the key is looked up again. */
  keyHash: string;
  /** When the key expires, or null. */
  expiresAtMs: number | null;
  scopes: readonly Scope[];
  /** The prefix of the accounts for which an operator's key can be used, or null for all. */
  accountPrefix: string | null;
}
