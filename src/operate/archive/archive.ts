import { dayOf, formatDay } from '../../../values/calendar.ts';
import type { Archive } from '../../ledger/archives/archive.ts';
import { changeId } from '../../ledger/changes/change.ts';
import { NO_EXPORT_FILTER } from '../../ledger/exports/export.ts';
import { csvHeader } from '../../ledger/exports/export-lines.ts';
import { OPTIONAL_FIELDS } from '../../ledger/transaction-fields.ts';

/** To compute seals from an archive file, these columns are needed. An import ignores these columns. */
export const ARCHIVED_CHANGE_COLUMNS = [
  'pendingSequence',
  'pendingId',
  'pendingRecordedAt',
  'finalSequence',
  'finalId',
  'finalRecordedAt',
] as const;

/** `wide` also has columns for fields that few transactions have. */
export type ArchiveForm = 'usual' | 'wide';

const USUAL_HEADER = `account,${csvHeader(NO_EXPORT_FILTER).trimEnd()},${ARCHIVED_CHANGE_COLUMNS}\r\n`;

export const ARCHIVE_HEADERS: Readonly<Record<ArchiveForm, string>> = {
  usual: USUAL_HEADER,
  wide: `${USUAL_HEADER.trimEnd()},${OPTIONAL_FIELDS.join(',')}\r\n`,
};

export const archiveDetail = (
  account: string,
  { beforeMs, floorSequence: sequence, floorNonce: nonce }: Archive,
) => ({
  before: formatDay(dayOf(beforeMs)),
  floorSequence: sequence,
  floorId: changeId(account, { sequence, nonce }),
});
