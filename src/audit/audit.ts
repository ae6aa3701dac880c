import { randomBase62 } from '../../values/base62.ts';
import { formatTimestamp } from '../../values/calendar.ts';
import type { RandomBytes } from '../../values/reference.ts';

/**
 * The actions in the audit trail. They change keys, sessions, endpoints and accounts. Reads are only in the
 * log, each with its key or session.
 */
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

/** `service` stands for an action without a request, such as disabling an endpoint that fails. */
export const AUDIT_VIAS = ['command', 'api', 'service'] as const;

export const MAX_ACTOR_CHARACTERS = 200;

/** The author of a change, and where it came from. */
export interface AuditOrigin {
  via: (typeof AUDIT_VIAS)[number];
  /**
   * For a request, the id of its key or session. If staff open an account, the name of the person. For a
   * command, the user of the operating system. Cut to MAX_ACTOR_CHARACTERS; null for the service.
   */
  actor: string | null;
  /** The address of the caller, if addresses are logged. */
  address: string | null;
}

export interface AuditStamp extends AuditOrigin {
  /** `au_` and 16 characters of base62. */
  id: string;
  atMs: number;
}

/** The key or session whose request made a change. Null if the change was not made by a request. */
export const keyOf = ({ via, actor }: AuditOrigin): string | null => (via === 'api' ? actor : null);

/**
 * An entry about a change. The database transaction that makes the change also writes the entry, and writes
 * none if nothing changes. The entry contains no secret.
 */
export interface AuditEntry extends AuditStamp {
  /** An account's name, or OPERATOR_ACCOUNT for the keys of the operator. */
  account: string;
  action: AuditAction;
  /**
   * The id of the key, session or endpoint, or the reference of the transaction. Null for an account, and for
   * all sessions of a person.
   */
  subject: string | null;
  detail: AuditDetail | null;
}

export type AuditDetail = Readonly<Record<string, string | number | readonly string[] | null>>;

export type AuditPosition = Pick<AuditEntry, 'atMs' | 'id'>;

export interface AuditReader {
  /**
   * The first entries after a position, at most `limit`, oldest first. If `account` is null, the entries of
   * all accounts. If `after` is null, the list begins with the first entry.
   */
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

/** The values of an entry, named like the parameters of the statements that write it. */
export const auditValues = ({ detail, ...entry }: AuditEntry) => ({
  ...entry,
  detail: detail === null ? null : JSON.stringify(detail),
});

/** Merges the first entries of several tables, and returns the first `limit` entries of all. */
export function mergeAudit(pages: readonly (readonly AuditEntry[])[], limit: number): AuditEntry[] {
  return pages
    .flat()
    .sort((left, right) => left.atMs - right.atMs || (left.id < right.id ? -1 : 1))
    .slice(0, limit);
}

/** Formats an entry for the output of `transactions audit`, and for the log line of its request. */
export const formatAudit = ({ id, atMs, ...entry }: AuditEntry) => ({
  id,
  at: formatTimestamp(atMs),
  ...entry,
});

export type FormattedAudit = ReturnType<typeof formatAudit>;

/**
 * The position of an entry in the log of one listener. `previous` is the entry logged before it, so that a
 * reader notices a missing line.
 */
export interface LoggedPlace {
  log: string;
  number: number;
  previous: Pick<FormattedAudit, 'id' | 'at'> | null;
}

/** Numbers the entries that a listener's requests log. */
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
