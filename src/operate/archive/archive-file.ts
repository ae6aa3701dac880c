import { createHash } from 'node:crypto';
import { dayOf, formatDay, formatTimestamp } from '../../../values/calendar.ts';
import { csvCell } from '../../../values/csv-cell.ts';
import { COLUMN_FIELDS } from '../../../values/interface/fields.ts';
import type { Archive } from '../../ledger/archives/archive.ts';
import { changeId } from '../../ledger/changes/change.ts';
import { manifestTotal, NO_EXPORT_FILTER } from '../../ledger/exports/export.ts';
import { lineFormatter } from '../../ledger/exports/export-lines.ts';
import { TotalsSum } from '../../ledger/totals/total.ts';
import { shownDetails, type Transaction } from '../../ledger/transaction.ts';
import { formatTransaction, OPTIONAL_FIELDS } from '../../ledger/transaction-fields.ts';
import { isOfArchive, storedChangeOf } from '../row-up-to.ts';
import { readAllRows, type StoredRow } from '../stored-rows.ts';
import type { VerifyReader } from '../verify-reader.ts';
import type { ArchiveForm } from './archive.ts';

/** Transactions in a final status, created before `beforeMs`, with sequence numbers up to `floorSequence`. */
export type ArchivedRange = { account: string } & Omit<Archive, 'removedChanges'>;

const csvLine = lineFormatter({ format: 'csv', spreadsheet: false, filter: NO_EXPORT_FILTER });

export const formOf = (row: StoredRow): ArchiveForm =>
  [...COLUMN_FIELDS.map((name) => row[name]), shownDetails(row), row.detailsRemovedAtMs].every(
    (value) => value === null,
  )
    ? 'usual'
    : 'wide';

/** The names of details are not known before the last row is read, so all details are one JSON cell. */
export function archiveLine(account: string, row: StoredRow, form: ArchiveForm): string {
  const line = `${account},${csvLine(row as Transaction).trimEnd()},${changeCells(account, row)}\r\n`;
  if (form === 'usual') return line;
  const shown = formatTransaction(row as Transaction);
  const cells = OPTIONAL_FIELDS.map((name) =>
    csvCell((name === 'details' ? shownDetails(row) : shown[name]) ?? ''),
  );
  return `${line.trimEnd()},${cells.join(',')}\r\n`;
}

function changeCells(account: string, row: StoredRow): string {
  const cellsOf = (isPending: boolean) => {
    const change = storedChangeOf(row, isPending);
    if (change.sequence === null) return ',,';
    return `${change.sequence},${changeId(account, change)},${formatTimestamp(change.recordedAtMs)}`;
  };
  return `${cellsOf(true)},${cellsOf(false)}`;
}

/** True if `line` was written for `row`, even if details were removed from the database since then. */
export function isLineOf(line: string, account: string, row: StoredRow, form: ArchiveForm): boolean {
  const expected = archiveLine(account, row, form);
  if (line === expected || row.detailsRemovedAtMs === null || form === 'usual') return line === expected;
  const { detailsRemovedAtMs: _, ...before } = row;
  const upToDetails = archiveLine(account, { ...before, detailsRemovedAtMs: null }, form).replace(
    /,,\r\n$/,
    ',',
  );
  return line.startsWith(upToDetails);
}

const archiveName = ({ account, beforeMs, floorSequence }: ArchivedRange): string =>
  `${account}.before-${formatDay(dayOf(beforeMs))}.change-${floorSequence}`;

export const fileName = (range: ArchivedRange) => `${archiveName(range)}.csv`;
export const manifestName = (range: ArchivedRange) => `${archiveName(range)}.json`;

export class ArchiveManifest {
  rows = 0;
  bytes = 0;
  readonly #hash = createHash('sha256');
  readonly #totals = new TotalsSum();

  add(text: string, row?: StoredRow): void {
    this.bytes += Buffer.byteLength(text);
    this.#hash.update(text);
    if (row === undefined) return;
    this.rows++;
    const { currencyCode, status, amountMinor } = row as Transaction & StoredRow;
    this.#totals.addRow(null, currencyCode, status, amountMinor);
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  text(range: ArchivedRange): string {
    const { account, beforeMs, floorSequence: sequence, floorNonce: nonce, floorSeal, rest } = range;
    const manifest = {
      account,
      before: formatDay(dayOf(beforeMs)),
      floorSequence: sequence,
      floorId: changeId(account, { sequence, nonce }),
      floorSeal,
      rest,
      rows: this.rows,
      bytes: this.bytes,
      sha256: this.sha256,
      totals: this.#totals.list().map(manifestTotal),
    };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  }
}

export const ROWS_PER_READ = 1000;

export async function* rowsToArchive(
  reader: VerifyReader,
  { account, ...archive }: Pick<ArchivedRange, 'account' | 'beforeMs' | 'floorSequence'>,
): AsyncGenerator<StoredRow> {
  for await (const rows of readAllRows(reader, account, {
    pageSize: ROWS_PER_READ,
    beforeMs: archive.beforeMs,
  }))
    for (const row of rows) if (isOfArchive(row, archive)) yield row;
}
