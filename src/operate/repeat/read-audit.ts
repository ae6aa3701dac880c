import { parseTimestamp } from '../../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import {
  AUDIT_ACTIONS,
  AUDIT_VIAS,
  type AuditAction,
  type AuditEntry,
  type FormattedAudit,
  isAuditId,
  type LoggedPlace,
} from '../../audit/audit.ts';
import { isKeyId } from '../../keys/api-key.ts';
import { isSessionId } from '../../keys/session.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import { isWebhookId } from '../../webhooks/webhook.ts';

export type ReadEntry = AuditEntry & { logged?: LoggedPlace | undefined };

/** A log collector can put text before the entry. Docker puts the whole line into the field `log`. */
export function readAuditLine(text: string): ReadEntry | undefined {
  const record = recordOf(text);
  if (record === undefined) return undefined;
  const { log, audit = record } = record;
  if (typeof log === 'string') return readAuditLine(log);
  return typeof audit === 'object' && audit !== null ? entryOf(audit) : undefined;
}

export const namesAudit = (text: string): boolean => text.includes('"au_');

function recordOf(text: string): { log?: unknown; audit?: unknown } | undefined {
  for (let begin = text.indexOf('{"'); begin >= 0; begin = text.indexOf('{"', begin + 1)) {
    try {
      return JSON.parse(text.slice(begin));
    } catch {}
  }
  return undefined;
}

const isOneOf = (values: readonly unknown[], value: unknown) => values.includes(value);

function entryOf(given: object): ReadEntry | undefined {
  const { at, detail, logged, ...fields } = given as Partial<FormattedAudit & { logged: LoggedPlace }>;
  const { id = '', account = '', action = '', via, subject = null } = fields;
  const atMs = typeof at === 'string' ? parseTimestamp(at) : undefined;
  const isEntry =
    atMs !== undefined &&
    isAuditId(String(id)) &&
    (account === OPERATOR_ACCOUNT || isIdentifier(String(account))) &&
    isOneOf(AUDIT_ACTIONS, action) &&
    isOneOf(AUDIT_VIAS, via) &&
    isSubject(action, subject) &&
    typeof detail === 'object';
  return isEntry ? ({ ...fields, subject, detail, atMs, logged } as ReadEntry) : undefined;
}

const SUBJECTS: Readonly<Record<KindOf<AuditAction>, (subject: string | null) => boolean>> = {
  key: (subject) => subject !== null && isKeyId(subject),
  session: (subject) => subject === null || isSessionId(subject),
  endpoint: (subject) => subject !== null && isWebhookId(subject),
  account: (subject) => subject === null,
  details: (subject) => subject !== null && isIdentifier(subject),
};
type KindOf<Action> = Action extends `${infer Kind}.${string}` ? Kind : never;

const isSubject = (action: string, subject: unknown): boolean =>
  (subject === null || typeof subject === 'string') &&
  SUBJECTS[action.split('.', 1)[0] as KindOf<AuditAction>](subject);
