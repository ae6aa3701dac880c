import type { Table } from '../values/tables.ts';
import type { AuditAction, AuditEntry, AuditOrigin } from './audit.ts';

/** On Citus, keys are on the coordinator, and endpoints with their account: each entry is where its change is. */
export const AUDIT_TABLES = ['key_audit', 'account_audit'] as const satisfies readonly Table[];

/** The columns of an AuditRow, in this order. */
export const AUDIT_COLUMNS = [
  'account',
  'at_ms',
  'id',
  'action',
  'subject',
  'detail',
  'via',
  'actor',
  'address',
];

type AuditRow = [
  account: string,
  atMs: number,
  id: string,
  action: AuditAction,
  subject: string | null,
  detail: string | null,
  via: AuditOrigin['via'],
  actor: string | null,
  address: string | null,
];

export const auditRowOf = (entry: AuditEntry): AuditRow => [
  entry.account,
  entry.atMs,
  entry.id,
  entry.action,
  entry.subject,
  entry.detail === null ? null : JSON.stringify(entry.detail),
  entry.via,
  entry.actor,
  entry.address,
];
