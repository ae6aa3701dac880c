import type { ApiKey } from '../../../keys/api-key.ts';
import { formatTimestamp, timeOrNull } from '../../../values/calendar.ts';

/** The properties of a key that a new one and a listed one have in common, as JSON. */
export function formatKey(key: ApiKey) {
  return {
    id: key.id,
    account: key.account,
    accountPrefix: key.accountPrefix,
    keyStart: key.keyStart,
    label: key.label,
    scopes: key.scopes,
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: timeOrNull(key.expiresAtMs),
  };
}
