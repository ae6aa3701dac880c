import type { Db } from '../../db/db.ts';
import { type Row, statementsOf } from '../../db/statement.ts';
import type { TransactionNumbers } from '../changes/change.ts';
import type { ListQuery } from '../list/list.ts';
import type { Total } from '../totals/totals.ts';
import type { Transaction } from '../transaction.ts';
import type { ExportFilter } from './export-filter.ts';
import { exportOfText, textOfExport } from './export-text.ts';

/** A transaction as it is now, with the numbers of its changes, and when they were recorded. */
export interface NumberedTransaction
  extends Pick<
    TransactionNumbers,
    'pendingSequence' | 'pendingRecordedAtMs' | 'finalSequence' | 'finalRecordedAtMs'
  > {
  transaction: Transaction;
}

export type ExportFormat = 'csv' | 'ndjson';

/** The content of a complete export. */
export interface ExportResult {
  rows: number;
  /** The size. Like the hash, it is without the manifest line and without compression. */
  bytes: number;
  /** In lower-case hexadecimal. */
  sha256: string;
  finishedAtMs: number;
}

/** An export: its query, its last change, and its result once it is complete. */
export interface Export {
  /** `exp_` and 16 characters of base62. */
  id: string;
  account: string;
  format: ExportFormat;
  /** True if texts that a spreadsheet would run as a formula are guarded. */
  spreadsheet: boolean;
  filter: ExportFilter;
  /**
   * For a filter by paidAt, the UTC days of createdAt on which all its transactions were created: only these
   * are read. Null without such a filter.
   */
  created: { from: string; to: string } | null;
  /** The sequence number of the last change that is shown. */
  asOf: number;
  /** The id of the change with that number; null if there is none. */
  asOfId: string | null;
  /** The seal of the account at that change; null while it is not known. */
  seal: string | null;
  /** As in responses; absent if the export does not reach archived days. */
  archivedBefore?: string;
  /** The expected sums of the transactions, for each currency and status. */
  totals: Total[];
  startedAtMs: number;
  /** Null while the export runs, and forever if it was cut. */
  result: ExportResult | null;
}

/**
 * How long exports are kept after they began. An export whose start is further than this in the future has
 * expired too: its clock was ahead.
 */
export const EXPORT_LIFETIME_MS = 24 * 3_600_000;

interface StoredExportLimits {
  /** Exports that began before have expired. */
  expiredMs: number;
  /** How many unexpired exports an account can have. Concurrent requests can exceed it slightly. */
  perAccount: number;
}

export interface ExportStore {
  /** The first transactions of a list query with their numbers, at most `limit`, in the order of a list. */
  listNumbered(query: ListQuery, limit: number): Promise<NumberedTransaction[]>;
  /** True if listNumbered reads on the calling thread. Then it is called for few transactions at a time. */
  readonly listsOnThisThread?: boolean;
  /**
   * Stores a new export unless its account has too many. Removes the account's expired exports, also those
   * whose start is more than EXPORT_LIFETIME_MS after that of the new one. Returns whether it was stored.
   */
  createExport(created: Export, limits: StoredExportLimits): Promise<boolean>;
  /** Removes the exports of all accounts that began before a time. */
  removeExpiredExports(expiredMs: number): Promise<void>;
  /** An account's export, or undefined. */
  findExport(account: string, id: string): Promise<Export | undefined>;
  /** Stores an export again, with another result. Returns false if it was removed meanwhile. */
  replaceExport(replaced: Export): Promise<boolean>;
}

const sql = statementsOf(new URL('./exports.sql', import.meta.url));
const readId = (row: Row) => row.text();

const FIND = sql('findExport', (row) => exportOfText(row.text()));
const REMOVE_OWN = sql('removeOwn');
const CREATE = sql('createExport', readId);
const REPLACE = sql('replaceExport', readId);

const ofAll = statementsOf(new URL('./expired-exports.sql', import.meta.url));
const ALLOW_REMOVAL = ofAll('allowRemoval', readId);
const REMOVE_EXPIRED = ofAll('removeExpired');

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
