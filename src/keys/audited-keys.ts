import { timeOrNull } from '../../values/calendar.ts';
import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import type { ApiKey, SessionFields } from './api-key.ts';
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

/** The person and the reason of a session, and the operator's key that made it. */
const lookOf = ({ person, reason, madeBy }: SessionFields) => ({ person, reason, madeBy });

interface AuditedSession extends Pick<ApiKey, 'account' | 'id' | 'scopes' | 'expiresAtMs'> {
  session: SessionFields;
}

export const sessionCreated = (
  { account, id, scopes, expiresAtMs, session }: AuditedSession,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'session.created', account, id, {
    ...lookOf(session),
    scopes,
    expiresAt: timeOrNull(expiresAtMs),
  });

export const sessionOpened = ({ account, id, session }: AuditedSession, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'session.opened', account, id, lookOf(session));

export const sessionEnded = (
  { account, id, session }: Pick<AuditedSession, 'account' | 'id' | 'session'>,
  stamp: AuditStamp,
): AuditEntry => auditEntry(stamp, 'session.ended', account, id, lookOf(session));

/**
 * The entry for ending all sessions of an account, or those of one person. OPERATOR_ACCOUNT stands for all
 * accounts.
 */
export const sessionsEnded = (account: string, person: string | null, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'session.ended', account, null, { person });
