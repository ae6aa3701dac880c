import { createHash } from 'node:crypto';
import { changeId } from '../../ledger/changes/change-id.ts';
import { CSV_HEADER, lineFormatter } from '../../ledger/exports/export-lines.ts';
import { manifestTotal } from '../../ledger/exports/manifest.ts';
import { TotalsSum } from '../../ledger/totals/totals-sum.ts';
import type { Transaction } from '../../ledger/transaction.ts';
import { dayOf, formatDay } from '../../values/calendar.ts';
import type { StoredRow } from '../verify/verify-reader.ts';

/** What is archived of an account with one file: final transactions that were created before a day, up to a change. */
export interface ArchivedRange {
  account: string;
  beforeMs: number;
  floorSequence: number;
  floorNonce: number;
  floorSeal: string;
}

/** The header of an import, which reads the file. */
export const ARCHIVE_HEADER = `account,${CSV_HEADER}`;

const csvLine = lineFormatter({ format: 'csv', spreadsheet: false });

/** A transaction as a line of the file, with its line end. An account has no character that CSV quotes. */
export const archiveLine = (account: string, row: StoredRow): string =>
  `${account},${csvLine(row as Transaction)}`;

/** The name of a file without its ending: two archives of an account never have the same. */
const archiveName = ({ account, beforeMs, floorSequence }: ArchivedRange): string =>
  `${account}.before-${formatDay(dayOf(beforeMs))}.change-${floorSequence}`;

export const fileName = (range: ArchivedRange) => `${archiveName(range)}.csv`;
export const manifestName = (range: ArchivedRange) => `${archiveName(range)}.json`;

/** What a file contains, as it is written beside it. */
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

  /** As JSON: the same transactions always have the same. */
  text({ account, beforeMs, floorSequence: sequence, floorNonce: nonce, floorSeal }: ArchivedRange): string {
    const manifest = {
      account,
      before: formatDay(dayOf(beforeMs)),
      floorSequence: sequence,
      floorId: changeId(account, { sequence, nonce }),
      floorSeal,
      rows: this.rows,
      bytes: this.bytes,
      sha256: this.sha256,
      totals: this.#totals.list().map(manifestTotal),
    };
    return `${JSON.stringify(manifest, null, 2)}\n`;
  }
}
