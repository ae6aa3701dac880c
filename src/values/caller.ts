import type { Scope } from './scopes.ts';

/** The `account` of an operator's key. No account can have this name. */
export const OPERATOR_ACCOUNT = '*';

/** How the keys of accounts and of operators begin. */
export const API_KEY_PREFIX = 'tk_live_';
export const OPERATOR_KEY_PREFIX = 'tk_operator_';

/** Who sends a request: an account, or the operator, by its key. */
export interface Caller {
  account: string;
  keyId: string;
  /** When the key expires, or null. */
  expiresAtMs: number | null;
  scopes: readonly Scope[];
  /** The prefix of the accounts for which an operator's key can be used, or null for all. */
  accountPrefix: string | null;
}
