/**
 * The scopes of each kind of key. The key of an account or of a person's session is for one account. The key
 * of an operator records for all accounts.
 */
export const SCOPES = {
  account: ['read', 'webhooks'],
  operator: ['record', 'keys', 'read', 'sessions'],
} as const;

export type KeyKind = keyof typeof SCOPES;
export type ScopeOf<Kind extends KeyKind> = (typeof SCOPES)[Kind][number];
export type Scope = ScopeOf<KeyKind>;
