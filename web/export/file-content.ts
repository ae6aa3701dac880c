import type { Export } from '../../client/src/export.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { TotalsRow } from '../../client/src/totals.ts';

/** A file whose export is being loaded. */
export interface FileContent {
  readonly exported: Pick<Export<unknown>, 'rows' | 'expectedRows' | 'manifest'>;
  /** How often the export was cut and restarted from the beginning. */
  readonly restarts: number;
  /** Loads the export. Ends without an error only if everything is verified. */
  read(): Promise<void>;
  /** The file. Call this after `read` has ended. */
  end(): FinishedFile | Promise<FinishedFile>;
}

export interface FinishedFile {
  content: Blob;
  manifest: ExportManifest;
  /** The number of transactions in the file, and their sums. */
  rows: number;
  totals: readonly TotalsRow[];
  /** Payments less refunds for each currency. Absent if the rows were not read. */
  net?: readonly Omit<TotalsRow, 'status'>[];
}

/** The most transactions that a sheet can hold, because its first row has the names of the columns. */
export const MAX_SHEET_ROWS = 1_048_576 - 1;

/** There are more transactions than a spreadsheet can hold. */
export class TooManyRows extends Error {
  readonly rows: number | null;

  /** `rows` is null if only some of the transactions were counted. */
  constructor(rows: number | null) {
    super();
    this.rows = rows;
  }
}
