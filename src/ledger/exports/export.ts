import { formatSum } from '../../../values/amount.ts';
import { randomBase62 } from '../../../values/base62.ts';
import { formatTimestamp } from '../../../values/calendar.ts';
import type { ParameterFault } from '../../../values/fault-list.ts';
import type { ErrorCode } from '../../../values/interface/errors.ts';
import { COLUMN_FIELDS } from '../../../values/interface/fields.ts';
import type { RandomBytes } from '../../../values/reference.ts';
import type { Db } from '../../db/db.ts';
import { type Row, statementsOf } from '../../db/statement.ts';
import type { TransactionNumbers } from '../changes/change.ts';
import {
  FILTER_PARAMETERS,
  type ListFilter,
  type ListQuery,
  type TimeRange,
  timeRange,
} from '../list/list.ts';
import type { Total, TotalsDifference } from '../totals/total.ts';
import { TRANSACTION_COLUMNS, type Transaction } from '../transaction.ts';

export const NUMBERED_COLUMNS = `${TRANSACTION_COLUMNS}, pending_sequence, pending_recorded_at_ms, final_sequence, final_recorded_at_ms`;

/** A transaction in its present state, with the sequence numbers and times of its changes. */
export interface NumberedTransaction
  extends Pick<
    TransactionNumbers,
    'pendingSequence' | 'pendingRecordedAtMs' | 'finalSequence' | 'finalRecordedAtMs'
  > {
  transaction: Transaction;
}

export type ExportFormat = 'csv' | 'ndjson';

export interface ExportResult {
  rows: number;
  /** The size before compression, without the manifest line. `sha256` is the hash of the same bytes. */
  bytes: number;
  sha256: string;
  finishedAtMs: number;
}

export interface Export {
  id: string;
  account: string;
  format: ExportFormat;
  /** If true, the export alters texts that a spreadsheet would run as formulas. */
  spreadsheet: boolean;
  filter: ExportFilter;
  /** The days of `createdAt` that a filter by paidAt has to read, in UTC. Null without such a filter. */
  created: { from: string; to: string } | null;
  /** The sequence number of the last change that the export includes. */
  asOf: number;
  /** The id of change `asOf`; null if the account has no change. */
  asOfId: string | null;
  /** Null if many changes were not sealed when the export began, or if changes are damaged. */
  seal: string | null;
  /** Absent if no day of the export is archived. */
  archivedBefore?: string;
  totals: Total[];
  startedAtMs: number;
  /** Null while the export runs, and after its response was cut. */
  result: ExportResult | null;
}

export const EXPORT_LIFETIME_MS = 24 * 3_600_000;

interface StoredExportLimits {
  expiredMs: number;
  /** Concurrent requests can exceed this limit slightly. */
  perAccount: number;
}

export interface ExportStore {
  listNumbered(query: ListQuery, limit: number): Promise<NumberedTransaction[]>;
  /** True if listNumbered blocks the calling thread. Each call must then read only a few rows. */
  readonly listsOnThisThread?: boolean;
  /** Returns false if the account has too many exports. Removes the account's expired exports first. */
  createExport(created: Export, limits: StoredExportLimits): Promise<boolean>;
  removeExpiredExports(expiredMs: number): Promise<void>;
  findExport(account: string, id: string): Promise<Export | undefined>;
  replaceExport(replaced: Export): Promise<boolean>;
}

const sql = statementsOf(new URL('./exports.sql', import.meta.url));
const readId = (row: Row) => row.text();

const FIND = sql('findExport', (row) => exportOfText(row.text()));
const REMOVE_OWN = sql('removeOwn');
const CREATE = sql('createExport', readId);
const REPLACE = sql('replaceExport', readId);
const ALLOW_REMOVAL = sql('allowRemoval', readId);
const REMOVE_EXPIRED = sql('removeExpired');

const TURN = { turn: 'account' } as const;

export const exportStore = (db: Db): Omit<ExportStore, 'listNumbered' | 'listsOnThisThread'> => ({
  createExport: async (created, { expiredMs, perAccount }) => {
    const { account, id, startedAtMs } = created;
    const latestMs = startedAtMs + EXPORT_LIFETIME_MS;
    const [, stored] = await db.write(TURN, [
      { statement: REMOVE_OWN, values: { account, expiredMs, latestMs } },
      { statement: CREATE, values: { account, id, startedAtMs, record: textOfExport(created), perAccount } },
    ]);
    return stored.length > 0;
  },
  removeExpiredExports: async (expiredMs) => {
    const removing = [ALLOW_REMOVAL, REMOVE_EXPIRED].map((statement) => ({
      statement,
      values: { expiredMs },
    }));
    await db.write({ turn: 'stream' }, removing);
  },
  findExport: async (account, id) => (await db.read(FIND, { account, id }))[0],
  replaceExport: async (replaced) => {
    const { account, id } = replaced;
    const values = { account, id, record: textOfExport(replaced) };
    const [stored] = await db.write(TURN, [{ statement: REPLACE, values }]);
    return stored.length > 0;
  },
});

const PAID_FILTERS = ['paidFrom', 'paidTo'] as const;
/** `details` takes the names of details, separated by commas. The other parameters take `true`. */
const COLUMNS = [...COLUMN_FIELDS, 'recordedAt', 'details'] as const;

export type ExportFilter = ListFilter &
  Record<(typeof PAID_FILTERS)[number] | (typeof COLUMNS)[number], string | null>;

export const NO_EXPORT_FILTER = Object.fromEntries(
  [...FILTER_PARAMETERS, ...PAID_FILTERS, ...COLUMNS].map((name) => [name, null]),
) as ExportFilter;

export function paidRange({ paidFrom, paidTo, timeZone }: ExportFilter): TimeRange | null {
  return paidFrom === null && paidTo === null ? null : timeRange({ from: paidFrom, to: paidTo, timeZone });
}

export function manifestOf({ result, ...exported }: Export) {
  return {
    id: exported.id,
    state: result === null ? ('running' as const) : ('complete' as const),
    format: exported.format,
    ...(exported.format === 'csv' && { spreadsheet: exported.spreadsheet }),
    filters: sentFilters(exported.filter),
    asOf: exported.asOf,
    asOfId: exported.asOfId,
    seal: exported.seal,
    ...(exported.archivedBefore !== undefined && { archivedBefore: exported.archivedBefore }),
    rows: result?.rows ?? null,
    bytes: result?.bytes ?? null,
    sha256: result?.sha256 ?? null,
    totals: exported.totals.map(manifestTotal),
    startedAt: formatTimestamp(exported.startedAtMs),
    finishedAt: result === null ? null : formatTimestamp(result.finishedAtMs),
  };
}

export const manifestTotal = ({ currencyCode, status, count, amountMinor }: Total) => ({
  currencyCode,
  status,
  count,
  amount: formatSum(amountMinor),
});

const sentFilters = (filter: ExportFilter): Partial<Record<keyof ExportFilter, string>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== null));

export const EXPORT_ID_FORM = '^exp_[0-9A-Za-z]{16}$';

const EXPORT_ID = new RegExp(EXPORT_ID_FORM);

export const newExportId = (randomBytes: RandomBytes): string => `exp_${randomBase62(16, randomBytes)}`;

export const isExportId = (text: string): boolean => EXPORT_ID.test(text);

export type ExportFault = ParameterFault<ErrorCode>;

export type ExportRequest = Pick<Export, 'format' | 'filter' | 'spreadsheet'>;

/** The rows of an export do not add up to its totals, or are not in order. */
export class ExportDiffers extends Error {
  override readonly name = 'ExportDiffers';
  readonly differences: readonly TotalsDifference[];

  constructor(message: string, differences: readonly TotalsDifference[] = []) {
    super(message);
    this.differences = differences;
  }
}

/** The amount is a text in JSON, because it can exceed 2^53. */
type WrittenTotal = Omit<Total, 'amountMinor'> & { amountMinor: string };

function textOfExport(stored: Export): string {
  const totals: WrittenTotal[] = stored.totals.map((total) => ({
    ...total,
    amountMinor: String(total.amountMinor),
  }));
  return JSON.stringify({ ...stored, totals });
}

function exportOfText(text: string): Export {
  const written = JSON.parse(text) as Omit<Export, 'totals'> & { totals: WrittenTotal[] };
  const totals = written.totals.map((total) => ({ ...total, amountMinor: BigInt(total.amountMinor) }));
  return { ...written, totals };
}
