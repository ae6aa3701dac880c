import { dayOf } from '../../values/calendar.ts';
import { formatDay } from '../../values/days.ts';
import { type AuditEntry, type AuditStamp, auditEntry } from '../audit/audit.ts';
import type { Archive } from '../ledger/archives/archive.ts';
import { changeId } from '../ledger/changes/change.ts';

/** An erasure begins: the account is closed. */
export const accountClosed = (account: string, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'account.closed', account, null);

export const accountErased = (account: string, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'account.erased', account, null);

export const archiveDetail = (
  account: string,
  { beforeMs, floorSequence: sequence, floorNonce: nonce }: Archive,
) => ({
  before: formatDay(dayOf(beforeMs)),
  floorSequence: sequence,
  floorId: changeId(account, { sequence, nonce }),
});

export const accountArchived = (account: string, archive: Archive, stamp: AuditStamp): AuditEntry =>
  auditEntry(stamp, 'account.archived', account, null, archiveDetail(account, archive));
