import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import { timeOrNull } from '../values/calendar.ts';
import type { ApiKey } from './api-key.ts';
import type { KeyRoll } from './api-key-store.ts';

export const keyCreated = (key: ApiKey, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'key.created', key.account, key.id, {
    scopes: key.scopes,
    expiresAt: timeOrNull(key.expiresAtMs),
  });

export const keyRevoked = ({ account, id }: Pick<ApiKey, 'account' | 'id'>, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'key.revoked', account, id);

/** `acceptedUntil` is the end of the grace: a key that expires before it is accepted for a shorter time. */
export const keyRolled = (
  { account, id, created, untilMs }: Omit<KeyRoll, 'nowMs'>,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'key.rolled', account, id, {
    newKeyId: created?.id ?? null,
    acceptedUntil: timeOrNull(untilMs),
  });
