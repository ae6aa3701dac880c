import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import type { Archive } from '../ledger/archives/archive.ts';
import { dayOf, formatDay } from '../values/calendar.ts';

/** An erasure begins: the account is closed. */
export const accountClosed = (account: string, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'account.closed', account, null);

export const accountErased = (account: string, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'account.erased', account, null);

export const accountArchived = (
  account: string,
  { beforeMs, floorSequence }: Archive,
  stamp: AuditStamp,
): AuditEntry =>
  auditEntry(stamp, 'account.archived', account, null, { before: formatDay(dayOf(beforeMs)), floorSequence });
