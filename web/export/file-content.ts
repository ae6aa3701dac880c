import type { Export } from '../../client/src/export.ts';
import type { ExportManifest } from '../../client/src/export-manifest.ts';
import type { TotalsRow } from '../../client/src/totals.ts';

export interface FileContent {
  readonly exported: Pick<Export<unknown>, 'rows' | 'expectedRows' | 'manifest'>;
  readonly restarts: number;
  read(): Promise<void>;
  end(): FinishedFile | Promise<FinishedFile>;
}

export interface FinishedFile {
  content: Blob;
  manifest: ExportManifest;
  rows: number;
  totals: readonly TotalsRow[];
  /** The sum of the paid transactions of each currency. Absent if the rows were not read. */
  net?: readonly Omit<TotalsRow, 'status'>[];
}

/** The first row of a sheet has the names of the columns, so it has no transaction. */
export const MAX_SHEET_ROWS = 1_048_576 - 1;

export class TooManyRows extends Error {
  readonly rows: number | null;

  constructor(rows: number | null) {
    super();
    this.rows = rows;
  }
}
