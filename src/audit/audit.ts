import { randomBase62 } from '../../values/base62.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import type { RandomBytes } from '../../values/reference.ts';

/** Only actions that change something are audited. Reads are only in the log. */
export const AUDIT_ACTIONS = [
  'key.created',
  'key.rolled',
  'key.revoked',
  'session.created',
  'session.opened',
  'session.ended',
  'endpoint.created',
  'endpoint.changed',
  'endpoint.enabled',
  'endpoint.disabled',
  'endpoint.rotated',
  'endpoint.replayed',
  'endpoint.deleted',
  'account.closed',
  'account.erased',
  'account.archived',
  'details.removed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export const AUDIT_VIAS = ['command', 'api', 'service'] as const;

export const MAX_ACTOR_CHARACTERS = 200;

export interface AuditOrigin {
  via: (typeof AUDIT_VIAS)[number];
  /**
   * The id of the key or session that made the change, the name of the staff member, or the name of the
   * system user who ran the command. Null if the service acted. At most MAX_ACTOR_CHARACTERS long.
   */
  actor: string | null;
  address: string | null;
}

export interface AuditStamp extends AuditOrigin {
  /** `au_` and 16 characters of base62. */
  id: string;
  atMs: number;
}

export const keyOf = ({ via, actor }: AuditOrigin): string | null => (via === 'api' ? actor : null);

/** An entry is written in the same database transaction as the change. An entry contains no secret. */
export interface AuditEntry extends AuditStamp {
  /** An account's name, or OPERATOR_ACCOUNT for the keys of the operator. */
  account: string;
  action: AuditAction;
  /**
   * The id of a key, session or endpoint. For a transaction, its reference. Null if the action is about an
   * account or about all sessions of a person.
   */
  subject: string | null;
  detail: AuditDetail | null;
}

export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

export type AuditPosition = Pick<AuditEntry, 'atMs' | 'id'>;

export interface AuditReader {
  /** The entries are sorted oldest first. A null `account` means all accounts. */
  listAudit(account: string | null, after: AuditPosition | null, limit: number): Promise<AuditEntry[]>;
}

const AUDIT_ID = /^au_[0-9A-Za-z]{16}$/;

export const isAuditId = (text: string): boolean => AUDIT_ID.test(text);

export const stampOf = (origin: AuditOrigin, nowMs: number, randomBytes: RandomBytes): AuditStamp => ({
  ...origin,
  id: `au_${randomBase62(16, randomBytes)}`,
  atMs: nowMs,
});

export function auditEntry(
  { id, atMs, via, actor, address }: AuditStamp,
  action: AuditAction,
  account: string,
  subject: string | null,
  detail: AuditDetail | null = null,
): AuditEntry {
  return { account, atMs, id, action, subject, detail, via, actor, address };
}

export const auditValues = ({ detail, ...entry }: AuditEntry) => ({
  ...entry,
  detail: detail === null ? null : JSON.stringify(detail),
});

export const formatAudit = ({ id, atMs, ...entry }: AuditEntry) => ({
  id,
  at: formatTimestamp(atMs),
  ...entry,
});

export type FormattedAudit = ReturnType<typeof formatAudit>;

export interface LoggedPlace {
  log: string;
  number: number;
  /** Shows a reader of the log whether a line is missing. */
  previous: Pick<FormattedAudit, 'id' | 'at'> | null;
}

export function auditLog(log: string): (entry: AuditEntry) => FormattedAudit & { logged: LoggedPlace } {
  let number = 0;
  let previous: LoggedPlace['previous'] = null;
  return (entry) => {
    const formatted = formatAudit(entry);
    const logged = { log, number: ++number, previous };
    previous = { id: formatted.id, at: formatted.at };
    return { ...formatted, logged };
  };
}
