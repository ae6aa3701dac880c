import { AUDIT_ACTIONS, AUDIT_VIAS, type AuditEntry, isAuditId } from '../../audit/audit.ts';
import type { formatAudit } from '../../audit/format-audit.ts';
import { isKeyId } from '../../keys/api-key.ts';
import { isIdentifier } from '../../ledger/transaction.ts';
import { parseTimestamp } from '../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../values/caller.ts';
import { isWebhookId } from '../../webhooks/new-webhook.ts';

/**
 * The audit entry of a line, or undefined if it has none: a line of `transactions audit --json`, or a line of the service's log, also behind
 * what a log collector wrote before it.
 */
export function readAuditLine(text: string): AuditEntry | undefined {
  const begin = text.indexOf('{');
  if (begin < 0) return undefined;
  let record: unknown;
  try {
    record = JSON.parse(text.slice(begin));
  } catch {
    return undefined;
  }
  const { audit = record } = record as { audit?: unknown };
  return typeof audit === 'object' && audit !== null ? entryOf(audit) : undefined;
}

const isOneOf = (values: readonly unknown[], value: unknown) => values.includes(value);

function entryOf(given: object): AuditEntry | undefined {
  const { at, detail, ...fields } = given as Partial<ReturnType<typeof formatAudit>>;
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
  return isEntry ? ({ ...fields, subject, detail, atMs } as AuditEntry) : undefined;
}

function isSubject(action: string, subject: unknown): boolean {
  if (action.startsWith('account.')) return subject === null;
  if (typeof subject !== 'string') return false;
  return action.startsWith('key.') ? isKeyId(subject) : isWebhookId(subject);
}
