import type { Export } from '../../client/src/export.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { TotalsRow } from '../../client/src/totals.ts';

/** A file while its export is loaded. */
export interface FileContent {
  readonly exported: Pick<Export<unknown>, 'rows' | 'expectedRows' | 'manifest'>;
  /** How often the export was cut and started again from the beginning. */
  readonly restarts: number;
  /** Loads the export. It ends without an error only if all is verified. */
  read(): Promise<void>;
  /** The file, after `read` has ended. */
  end(): FinishedFile | Promise<FinishedFile>;
}

export interface FinishedFile {
  content: Blob;
  manifest: ExportManifest;
  /** The number of transactions in the file, and their sums. */
  rows: number;
  totals: readonly TotalsRow[];
  /** Payments less refunds for each currency, if the rows were read. */
  net?: readonly Omit<TotalsRow, 'status'>[];
}

/** The most transactions of a sheet: its first row has the names of the columns. */
export const MAX_SHEET_ROWS = 1_048_576 - 1;

/** More transactions than a spreadsheet can have. */
export class TooManyRows extends Error {
  readonly rows: number | null;

  /** `rows` is null if only a part of them was counted. */
  constructor(rows: number | null) {
    super();
    this.rows = rows;
  }
}
