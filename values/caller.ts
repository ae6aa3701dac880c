import type { Scope } from './scopes.ts';

/** The `account` of an operator's key. No account can have this name. */
export const OPERATOR_ACCOUNT = '*';

/**
 * Keys of accounts, operators and sessions begin with these prefixes, and so do the codes from which sessions
 * get their keys.
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

/** The sender of a request, which its key identifies: an account or the operator. */
export interface Caller {
  account: string;
  keyId: string;
  /** The person of a session; null for other keys. It is never logged. */
  person: string | null;
  /** The operator's key that created the session; null for other keys, and if a command created it. */
  madeBy: string | null;
  /** The hash by which the key is found again. */
  keyHash: string;
  expiresAtMs: number | null;
  scopes: readonly Scope[];
  /** An operator's key can be used only for accounts with this prefix; null for all accounts. */
  accountPrefix: string | null;
}
