import type { ColumnField } from '../../values/interface/fields.ts';
import { AMOUNT } from './amount.ts';
import { UnexpectedResponseError } from './errors.ts';
import { pathSegment } from './filters.ts';
import { requestBody } from './request-body.ts';
import { hasArchivedBefore, isCount, isObject, isText, isTextOrNull, isTransaction } from './response.ts';
import type { RequestOptions, Send } from './send.ts';
import { isTotalsRow, type TotalsRow } from './totals.ts';
import type { ListFilters, Transaction } from './transaction.ts';

export type ExportFormat = 'csv' | 'ndjson';

/** The range of days can have any length. `paidFrom` and `paidTo` are days of paidAt, both inclusive. */
export interface ExportFilters extends ListFilters {
  paidFrom?: string | undefined;
  paidTo?: string | undefined;
}

interface CsvColumns extends Partial<Record<ColumnField, boolean | undefined>> {
  /** Puts an apostrophe before each sign that could begin a spreadsheet formula. Default: false. */
  spreadsheet?: boolean | undefined;
  /** Names of details. Each detail gets a column, such as details.customer. */
  details?: readonly string[] | undefined;
}

/** In CSV, each optional field that is set to true, such as `relatedTo`, adds a column. */
export type ExportQuery = ExportFilters & {
  /** Adds recordedAt and statusRecordedAt. Default: false. */
  recordedAt?: boolean | undefined;
} & ((CsvColumns & { format: 'csv' }) | ({ [Name in keyof CsvColumns]?: undefined } & { format: 'ndjson' }));

/**
 * `recordedAt` and `statusRecordedAt` are in UTC with milliseconds. They are absent unless the query has
 * `recordedAt: true`.
 */
export interface ExportedTransaction extends Transaction {
  recordedAt?: string;
  statusRecordedAt?: string;
}

export interface ExportManifest {
  id: string;
  /** An interrupted export is never `complete`. */
  state: 'running' | 'complete';
  format: ExportFormat;
  /** Present only for CSV. */
  spreadsheet?: boolean;
  filters: ExportFilters & Partial<Record<ColumnField, string>> & { recordedAt?: string; details?: string };
  /** The sequence number of the last change that the export includes. */
  asOf: number;
  /** The id of the change `asOf`; null if `asOf` is 0. */
  asOfId: string | null;
  /** The seal at `asOf`; null if more than 1,000 changes up to `asOf` were unsealed when the export began. */
  seal: string | null;
  /** See `archivedBefore` of TransactionPage. */
  archivedBefore?: string;
  /** Null until the export is complete. The same holds for `bytes`, `sha256` and `finishedAt`. */
  rows: number | null;
  /** The size of the file without compression and, in NDJSON, without the manifest line. */
  bytes: number | null;
  /** The SHA-256 of the bytes that `bytes` counts, in lower-case hexadecimal. */
  sha256: string | null;
  /** Counts and sums by currency and status. They are known while the export still runs. */
  totals: TotalsRow[];
  startedAt: string;
  finishedAt: string | null;
}

export async function fetchManifest(
  send: Send,
  root: string,
  id: string,
  options: RequestOptions,
): Promise<ExportManifest> {
  return requestBody(
    send,
    `${root}/exports/${pathSegment('id', id)}`,
    { what: 'the manifest of an export', is: isManifest },
    options,
  );
}

export const expectedRows = ({ totals }: ExportManifest): number =>
  totals.reduce((rows, { count }) => rows + count, 0);

export function isManifest(value: unknown): value is ExportManifest {
  if (!isObject(value)) return false;
  const { state, totals } = value;
  const isResult = state === 'complete' ? hasResult(value) : state === 'running';
  const areTexts = ['id', 'format', 'startedAt'].every((name) => isText(value[name]));
  const areTotals = Array.isArray(totals) && totals.every(isTotalsRow);
  return (
    isResult &&
    areTexts &&
    areTotals &&
    isCount(value['asOf']) &&
    isTextOrNull(value['asOfId']) &&
    isTextOrNull(value['seal']) &&
    hasArchivedBefore(value)
  );
}

const hasResult = (value: Record<string, unknown>) =>
  isCount(value['rows']) && isCount(value['bytes']) && isText(value['sha256']);

export function readRow(line: string): ExportedTransaction {
  const row = parseLine(line);
  if (isTransaction(row) && AMOUNT.test(row.amount) && hasTimes(row)) return row;
  throw new UnexpectedResponseError('A line of the export is not a transaction.', null);
}

const hasTimes = (row: ExportedTransaction): boolean =>
  [row.recordedAt, row.statusRecordedAt].every((time) => time === undefined || isText(time));

export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
