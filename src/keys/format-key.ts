import { formatTimestamp, timeOrNull } from '../values/calendar.ts';
import { type ApiKey, stateOfApiKey } from './api-key.ts';

/** What responses and commands show of a new key, in addition to the key itself. */
export const formatKey = (key: ApiKey) => ({
  id: key.id,
  account: key.account,
  keyStart: key.keyStart,
  label: key.label,
  scopes: [...key.scopes],
  createdAt: formatTimestamp(key.createdAtMs),
  expiresAt: timeOrNull(key.expiresAtMs),
});

/** What they show of a listed one. */
export const formatListedKey = (key: ApiKey, nowMs: number) => ({
  ...formatKey(key),
  state: stateOfApiKey(key, nowMs),
  revokedAt: timeOrNull(key.revokedAtMs),
  rolledAt: timeOrNull(key.rolledAtMs),
  lastUsedAt: timeOrNull(key.lastUsedAtMs),
});
