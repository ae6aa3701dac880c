import type { Scope } from './scopes.ts';

/** The `account` of an operator's key. No account can have this name. */
export const OPERATOR_ACCOUNT = '*';

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

export interface Caller {
  account: string;
  keyId: string;
  /** The person who uses the session, or null without a session. The person is never logged. */
  person: string | null;
  /** The id of the operator's key that created the session. */
  madeBy: string | null;
  keyHash: string;
  expiresAtMs: number | null;
  scopes: readonly Scope[];
  accountPrefix: string | null;
}
