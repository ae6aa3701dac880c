/**
 * The scopes of keys, by their kind. An account's key is for one account, as is the session of a person. An
 * operator's key records for all.
 */
export const SCOPES = {
  account: ['read', 'webhooks'],
  operator: ['record', 'keys', 'read', 'sessions'],
} as const;

export type KeyKind = keyof typeof SCOPES;
export type ScopeOf<Kind extends KeyKind> = (typeof SCOPES)[Kind][number];
export type Scope = ScopeOf<KeyKind>;
