/** The key of an account or session is for one account. An operator's key can be for all accounts. */
export const SCOPES = {
  account: ['read', 'webhooks'],
  operator: ['record', 'keys', 'read', 'sessions'],
} as const;

export type KeyKind = keyof typeof SCOPES;
export type ScopeOf<Kind extends KeyKind> = (typeof SCOPES)[Kind][number];
export type Scope = ScopeOf<KeyKind>;
