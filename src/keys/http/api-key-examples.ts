import type { Example } from '../../http/schemas/responses.ts';
import type { CreatedKey, KeyBody, ListedKey, RolledKey } from './api-key-schemas.ts';

const KEY: Omit<CreatedKey, 'key'> = {
  id: 'key_0123456789abcdef',
  account: 'store-1',
  keyStart: 'tk_live_EXAMPL',
  label: 'webshop',
  scopes: ['read'],
  createdAt: '2026-06-15T12:00:00.000Z',
  expiresAt: '2027-06-15T00:00:00.000Z',
};

/** A key with a wrong checksum, which no service accepts. */
const KEY_TEXT = 'tk_live_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE1';

const CREATED_KEY: CreatedKey = { ...KEY, key: KEY_TEXT };
const ACTIVE_KEY: ListedKey = { ...KEY, state: 'active', revokedAt: null, rolledAt: null, lastUsedAt: null };

const ROLLED_KEY: RolledKey = {
  ...CREATED_KEY,
  id: 'key_fedcba9876543210',
  createdAt: '2026-12-15T12:00:00.000Z',
  expiresAt: '2027-12-15T00:00:00.000Z',
  replaced: { id: 'key_0123456789abcdef', expiresAt: '2026-12-16T12:00:00.000Z' },
};

const { account, id, scopes, expiresAt } = KEY;
const KEY_OF_REQUEST: KeyBody = { account, id, kind: 'key', person: null, scopes, expiresAt };

export const KEY_EXAMPLES: Record<string, Example> = {
  read: { summary: 'A key that only reads', value: KEY_OF_REQUEST },
  session: {
    summary: 'The session of a person',
    value: {
      ...KEY_OF_REQUEST,
      id: 'ses_0123456789abcdef',
      kind: 'session',
      person: 'ada@shop.example',
      expiresAt: '2026-06-15T20:00:00.000Z',
    } satisfies KeyBody,
  },
};
export const CREATED_KEY_EXAMPLES: Record<string, Example> = {
  created: { summary: 'A new key', value: CREATED_KEY },
};
export const LISTED_KEYS_EXAMPLES: Record<string, Example> = {
  one: {
    summary: 'An account with one key',
    value: { data: [ACTIVE_KEY], nextCursor: null, hasMore: false },
  },
};
export const ROLLED_KEY_EXAMPLES: Record<string, Example> = {
  rolled: { summary: 'The new key', value: ROLLED_KEY },
};
